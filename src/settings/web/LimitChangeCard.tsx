import { lazy } from 'react'
import { formatCents } from '../../kit/money.ts'
import { useUser } from '../../kit/web/user.ts'
import { DecisionCard } from '../../kit/web/ui/DecisionCard.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { LimitChange } from '../contract.ts'

const DecideLimitDialog = lazy(async () => ({ default: (await import('./DecideLimitDialog.tsx')).DecideLimitDialog }))

/** For admins: a proposal that fewer payouts, or none, need two admins, which waits for a second admin. */
export const LimitChangeCard = ({ of: change }: { of: LimitChange }) => {
  const { fromCents, toCents, proposedBy, proposedAt, actions } = change
  const isOwn = proposedBy.id === useUser().id
  return (
    <DecisionCard
      of={change}
      className="mb-5 max-w-2xl"
      decisions={actions}
      buttons={{
        confirm: { label: 'Confirm' },
        refuse: { label: isOwn ? 'Cancel proposal' : 'Refuse', variant: 'outline' },
      }}
      dialog={DecideLimitDialog}
      title={
        toCents === null
          ? 'Stop requiring two admins for payouts'
          : `Require two admins only above ${formatCents(toCents)}`
      }
      description={
        <>
          Proposed by {isOwn ? 'you' : proposedBy.name}, <RelativeTime at={proposedAt} />
        </>
      }
    >
      <p className="max-w-prose">
        Payouts above {formatCents(fromCents)} need two admins until{' '}
        {actions.includes('confirm') ? 'you or another admin confirms' : 'another admin confirms'} the change.
      </p>
    </DecisionCard>
  )
}
