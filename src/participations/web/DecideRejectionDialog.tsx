import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { WaitingRejection } from '../contract.ts'
import { appealHours, type ConsentDecision } from '../terms.ts'
import { api, refreshTests } from './calls.ts'

const schema = async () => (await import('../contract.ts')).participationApi.decideRejection.body.pick({ note: true })

const words = {
  CONSENT: {
    title: 'Consent to the rejection?',
    description: ({ alias }: WaitingRejection) =>
      `${alias}’s proof is rejected with the developer’s reason. The tester can appeal within ${appealHours} hours.`,
    label: 'Consent',
    done: 'Proof rejected',
  },
  REFUSE: {
    title: 'Refuse consent?',
    description: ({ alias }: WaitingRejection) =>
      `${alias}’s proof stays in review. If the developer does not decide otherwise, it is auto-verified.`,
    label: 'Refuse consent',
    done: 'Consent refused',
  },
} as const

type Props = { decision: ConsentDecision; of: WaitingRejection; onClose: () => void }

export const DecideRejectionDialog = ({ decision, of: rejection, onClose }: Props) => (
  <ReasonDialog
    form={useSchemaForm(schema, { note: '' })}
    name="note"
    label="Note"
    onClose={onClose}
    title={words[decision].title}
    description={words[decision].description(rejection)}
    hint="The developer sees this."
    submitLabel={words[decision].label}
    onSubmit={async ({ note }) => {
      try {
        await api.decideRejection({ params: { id: rejection.id }, body: { decision, note } })
      } finally {
        void refreshTests()
      }
      notify.success(words[decision].done)
    }}
  />
)
