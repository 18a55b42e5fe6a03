import type { ReactNode } from 'react'
import { Form } from '../../kit/web/ui/Form.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import type { NewCampaign } from '../contract.ts'
import { AppFields, TermsFields } from './CampaignFields.tsx'
import type { CampaignFormState } from './campaignValues.ts'
import { startedPart } from '../../kit/web/ui/laterPart.ts'

const AccessFields = startedPart(
  async () => (await import('./AccessFields.tsx')).AccessFields,
  <Skeleton className="h-64 rounded-xl" />,
)

type Props = {
  form: CampaignFormState
  onSubmit: (campaign: NewCampaign) => void
  loading: boolean
  submitError: unknown
  submitLabel: string
  errorFallback?: string
  actions?: ReactNode
  disabled?: boolean
  /** Why the terms cannot change. Undefined if they can. */
  locked?: string | undefined
  onAccessChosen?: () => void
  /** Beside the fields and sticky on a wide screen; between the fields and the button on a phone. */
  aside: ReactNode
}

/** The form for creating and editing a campaign. */
export const CampaignForm = ({ form, locked, onAccessChosen, aside, ...shell }: Props) => (
  <Form
    form={form}
    {...shell}
    className="lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start [&>*]:lg:col-start-1 [&>aside]:lg:col-start-2"
  >
    <div className="grid min-w-0 gap-5">
      <AppFields of={form} />
      <AccessFields of={form} locked={locked !== undefined} onChosen={onAccessChosen} />
      <TermsFields of={form} locked={locked} />
    </div>
    <aside className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:sticky lg:top-20 lg:row-span-3 lg:row-start-1">
      {aside}
    </aside>
  </Form>
)
