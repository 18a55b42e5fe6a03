import type { ReactNode } from 'react'
import { useDrawnFromTop } from '../../kit/web/drawn.ts'
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

/** As high as the fields that follow those of the app, or higher: nothing that is visible moves when they are drawn. */
const restPlaceholder = <Skeleton className="h-320 rounded-xl" />

/** The form for creating and editing a campaign. What lies below the fold is drawn after the rest. */
export const CampaignForm = ({ form, locked, onAccessChosen, aside, ...shell }: Props) => {
  const isWhole = useDrawnFromTop(2, 1) === 2
  return (
    <Form
      form={form}
      {...shell}
      className="lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start [&>*]:lg:col-start-1 [&>aside]:lg:col-start-2"
    >
      <div className="grid min-w-0 gap-5">
        <AppFields of={form} />
        {isWhole ? (
          <>
            <AccessFields of={form} locked={locked !== undefined} onChosen={onAccessChosen} />
            <TermsFields of={form} locked={locked} />
          </>
        ) : (
          restPlaceholder
        )}
      </div>
      <aside className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:sticky lg:top-20 lg:row-span-3 lg:row-start-1">
        {aside}
      </aside>
    </Form>
  )
}
