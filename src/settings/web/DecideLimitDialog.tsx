import { auditKeys } from '../../audit/web/keys.ts'
import { formatCents } from '../../kit/money.ts'
import { invalidate, queryClient } from '../../kit/web/query.ts'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { LimitChange } from '../contract.ts'
import type { LimitAction } from '../limits.ts'
import { api, settingsQuery } from './calls.ts'
import { settingsKeys } from './keys.ts'

type Props = { decision: LimitAction; of: LimitChange; onClose: () => void }

export const DecideLimitDialog = ({ decision, of: change, onClose }: Props) => {
  const { id, fromCents, toCents, proposedBy } = change
  const confirms = decision === 'confirm'
  const to = toCents === null ? 'off' : formatCents(toCents)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={confirms ? 'Change the two-admin rule for payouts?' : 'Keep the two-admin rule for payouts?'}
      description={
        confirms
          ? `You are the second of two admins: from now on payouts of ${toCents === null ? 'any size' : `up to ${to}`} no longer need a second admin. Payouts already waiting still do.`
          : 'The proposed change is dropped.'
      }
      items={[
        { label: 'Two admins for payouts above', value: `${formatCents(fromCents)} → ${to}` },
        { label: 'Proposed by', value: proposedBy.name },
      ]}
      confirmLabel={confirms ? 'Confirm the change' : 'Keep the rule'}
      onConfirm={async () => {
        try {
          const call = confirms ? api.confirmLimit : api.refuseLimit
          queryClient.setQueryData(settingsQuery.queryKey, await call({ params: { id } }))
        } finally {
          void invalidate(settingsKeys.all, auditKeys.all)
        }
        notify.success(confirms ? 'Two-admin rule changed' : 'Two-admin rule kept')
      }}
    />
  )
}
