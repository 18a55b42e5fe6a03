import { formatCents } from '../../kit/money.ts'
import { counted, quoted } from '../../kit/words.ts'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { decideAfterDays, extensionDays, watchedDays } from '../escrow.ts'
import type { EscrowCase } from '../escrowContract.ts'
import type { EscrowAction } from '../terms.ts'
import { afterEscrow, escrowCalls } from './escrowCalls.ts'

const schema = async () => (await import('../escrowContract.ts')).escrowApi.extendEscrow.body

type Props = { decision: EscrowAction; of: EscrowCase; onClose: () => void }

const words: Record<
  EscrowAction,
  { title: (title: string) => string; describe: (of: EscrowCase) => string; submit: string; done: string }
> = {
  extend: {
    title: title => `Extend the escrow of ${title}`,
    describe: () =>
      `The money stays in escrow, and you have to decide again in ${extensionDays} days. The campaign leaves this list for the first ${extensionDays - watchedDays} of them.`,
    submit: `Extend by ${extensionDays} days`,
    done: 'Escrow extended',
  },
  renew: {
    title: title => `Ask for a new payment for ${title}`,
    describe: ({ heldCents, developer }) =>
      `We ask ${developer.name} for a new payment of ${formatCents(heldCents)}. Once it arrives, the same amount of the earlier payments is refunded and the ${decideAfterDays - watchedDays} days start over. Until then nothing changes and the campaign stays on this list. Current testers remain covered throughout.`,
    submit: 'Ask for new payment',
    done: 'Developer asked for a new payment',
  },
  cancel: {
    title: title => `Cancel ${title}`,
    describe: ({ testersInside }) =>
      `The campaign ends immediately and cannot be reopened. ${
        testersInside === 0
          ? 'Everything in escrow is refunded, unless a payment dispute holds it.'
          : `It has ${counted(testersInside, 'current tester')}. Those still testing are paid for the days they completed, submitted proofs are still reviewed, and the rest is refunded, unless a payment dispute holds it.`
      }`,
    submit: 'Cancel campaign',
    done: 'Campaign cancelled',
  },
}

const calls = {
  extend: escrowCalls.extendEscrow,
  renew: escrowCalls.renewEscrow,
  cancel: escrowCalls.cancelEscrow,
} as const

export const DecideEscrowDialog = ({ decision, of, onClose }: Props) => {
  const { title, describe, submit, done } = words[decision]
  return (
    <ReasonDialog
      form={useSchemaForm(schema, { reason: '' })}
      name="reason"
      onClose={onClose}
      title={title(quoted(of.title))}
      description={describe(of)}
      hint="The developer sees this."
      minLength={10}
      submitLabel={submit}
      {...(decision === 'cancel' && { submitVariant: 'destructive' as const, dismissLabel: 'Keep campaign' })}
      onSubmit={async body => {
        try {
          await calls[decision]({ params: { id: of.id }, body })
        } finally {
          afterEscrow()
        }
        notify.success(done)
      }}
    />
  )
}
