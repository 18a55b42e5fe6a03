import { formatCents } from '../../kit/money.ts'
import { invalidate } from '../../kit/web/query.ts'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { TestModeNote } from '../../kit/web/ui/TestMode.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { PayoutApproval } from '../contract.ts'
import type { PayoutAction } from '../terms.ts'
import { api } from './calls.ts'
import { ledgerKeys } from './keys.ts'

const schema = async () => (await import('../contract.ts')).ledgerApi.refusePayout.body

type Props = { decision: PayoutAction; of: PayoutApproval; onClose: () => void }

export const DecidePayoutDialog = ({ decision, ...props }: Props) =>
  decision === 'refuse' ? <Refusal {...props} /> : <Approval {...props} decision={decision} />

const words = {
  release: {
    title: 'Release',
    description: 'You are the first of two admins: it is paid once another confirms it.',
    done: 'Payout released',
  },
  confirm: {
    title: 'Confirm',
    description: 'You are the second of two admins: once you confirm, it is paid.',
    done: 'Payout confirmed',
  },
} as const

/** Runs after failures too: another admin may have decided first. */
const refresh = () => invalidate(ledgerKeys.all)

const Approval = ({ decision, of: payout, onClose }: Props & { decision: 'release' | 'confirm' }) => {
  const { id, amountCents, tester, destination, releasedBy } = payout
  const { title, description, done } = words[decision]
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`${title} ${formatCents(amountCents)}?`}
      description={description}
      items={[
        { label: 'Amount', value: <Money cents={amountCents} />, strong: true },
        { label: 'Tester', value: tester.name },
        { label: 'To', value: destination },
        ...(releasedBy ? [{ label: 'Released by', value: releasedBy.name }] : []),
      ]}
      confirmLabel={`${title} ${formatCents(amountCents)}`}
      onConfirm={async () => {
        try {
          const call = decision === 'release' ? api.releasePayout : api.confirmPayout
          await call({ params: { id } })
        } finally {
          void refresh()
        }
        notify.success(done)
      }}
    >
      <TestModeNote />
    </ConfirmDialog>
  )
}

const Refusal = ({ of: { id, amountCents, tester }, onClose }: Omit<Props, 'decision'>) => (
  <ReasonDialog
    form={useSchemaForm(schema, { reason: '' })}
    name="reason"
    onClose={onClose}
    title={`Refuse ${formatCents(amountCents)}?`}
    description={`The money goes back to ${tester.name}’s balance.`}
    hint="The tester sees this."
    submitLabel="Refuse"
    onSubmit={async ({ reason }) => {
      try {
        await api.refusePayout({ params: { id }, body: { reason } })
      } finally {
        void refresh()
      }
      notify.success('Payout refused')
    }}
  />
)
