import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { ContestedOptIn } from '../contract.ts'
import type { ContestDecision } from '../terms.ts'
import { api, refreshTests } from './calls.ts'
import { OptInScreenshot } from './OptInScreenshot.tsx'

const schema = async () => (await import('../contract.ts')).participationApi.decideOptIn.body.pick({ note: true })

const words = {
  CLEAR: {
    title: (alias: string) => `Count ${alias}’s opt-in?`,
    description: 'It counts from its first day, and the developer cannot contest it again.',
    label: 'Count opt-in',
    done: 'The opt-in counts',
  },
  VOID: {
    title: (alias: string) => `Void ${alias}’s opt-in?`,
    description: 'It ends now and its days are lost. A tester who opts in again begins at day 1.',
    label: 'Void opt-in',
    done: 'The opt-in was voided',
  },
} as const

type Props = { decision: ContestDecision; of: ContestedOptIn; onClose: () => void }

export const DecideOptInDialog = ({ decision, of: { id, alias, screenshot }, onClose }: Props) => (
  <ReasonDialog
    form={useSchemaForm(schema, { note: '' })}
    name="note"
    label="Note"
    onClose={onClose}
    title={words[decision].title(alias)}
    description={words[decision].description}
    hint="The developer and the tester see this."
    submitLabel={words[decision].label}
    {...(decision === 'VOID' && { submitVariant: 'destructive' })}
    onSubmit={async ({ note }) => {
      try {
        await api.decideOptIn({ params: { id }, body: { decision, note } })
      } finally {
        void refreshTests()
      }
      notify.success(words[decision].done)
    }}
  >
    <OptInScreenshot of={screenshot} />
  </ReasonDialog>
)
