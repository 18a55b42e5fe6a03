import { formatCents } from '../../kit/money.ts'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { CampaignTester } from '../contract.ts'
import type { AppealDecision } from '../terms.ts'
import { api, refreshTests } from './calls.ts'

const schema = async () => (await import('../contract.ts')).participationApi.decideAppeal.body.pick({ note: true })

const words = {
  VERIFY: {
    title: 'Verify and pay?',
    description: ({ campaign, alias }: CampaignTester) =>
      `${alias} is paid ${formatCents(campaign.payPerTesterCents)} from the campaign, and the test is verified. This is final.`,
    label: 'Verify and pay',
    done: 'Appeal granted',
  },
  UPHOLD: {
    title: 'Uphold the rejection?',
    description: ({ campaign, alias }: CampaignTester) =>
      `${alias} is not paid. ${campaign.status === 'CANCELLED' ? 'The pay and the fee of the seat are refunded to the developer, unless a payment dispute holds them.' : 'The seat is free again, and what stays unused is refunded to the developer at the end of the campaign, unless a payment dispute holds it.'} This is final.`,
    label: 'Uphold the rejection',
    done: 'Rejection upheld',
  },
} as const

type Props = { decision: AppealDecision; of: CampaignTester; onClose: () => void }

export const DecideAppealDialog = ({ decision, of: test, onClose }: Props) => (
  <ReasonDialog
    form={useSchemaForm(schema, { note: '' })}
    name="note"
    label="Note"
    onClose={onClose}
    title={words[decision].title}
    description={words[decision].description(test)}
    hint="The developer and the tester see this."
    submitLabel={words[decision].label}
    {...(decision === 'UPHOLD' && { submitVariant: 'destructive' })}
    onSubmit={async ({ note }) => {
      try {
        await api.decideAppeal({ params: { id: test.id }, body: { decision, note } })
      } finally {
        void refreshTests()
      }
      notify.success(words[decision].done)
    }}
  />
)
