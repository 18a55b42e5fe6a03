/** What holds up money, in the server's words: the reason, since when, and until when or what ends it. */
import { useNow } from '../../kit/web/now.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { Hold } from '../contract.ts'
import type { HoldKind } from '../terms.ts'

const titles: Record<HoldKind, string> = {
  METHOD_PAUSE: 'Withdrawals are paused',
  SECURITY_PAUSE: 'Withdrawals are paused',
  EMAIL_NOT_CONFIRMED: 'Confirm your email address first',
  LOST_PAYOUT: 'Your balance has to cover an earlier payout',
  SUSPENDED: 'Your account is suspended',
  RESTORING: 'We are restoring our data',
  BOOKS: 'Withdrawals are stopped',
  APPROVAL: 'Waiting for our team',
  JOBS_PAUSED: 'Payouts are paused',
  COMPARING: 'Waiting for a check',
}

/** Leaves out holds whose end has passed. */
export const useHolds = (holds: readonly Hold[]): Hold[] => {
  const now = useNow()
  return holds.filter(({ until }) => until === null || until > now)
}

const Times = ({ of: { since, until } }: { of: Hold }) => {
  if (until !== null)
    return (
      <>
        The pause ends on <DateTime at={until} withTime /> (<RelativeTime at={until} />
        ).
      </>
    )
  if (since === null) return null
  return (
    <>
      On hold since <DateTime at={since} withTime />.
    </>
  )
}

/** Holds of new withdrawals: one note each, above the form. */
export const HoldNotes = ({ of: holds }: { of: readonly Hold[] }) =>
  holds.map(hold => (
    <Alert key={hold.kind} tone="yellow" title={titles[hold.kind]} className="mb-5">
      <p className="whitespace-pre-line">
        {hold.sentence} <Times of={hold} />
      </p>
    </Alert>
  ))

/** Below the line of a waiting withdrawal. Does not repeat what the note above the form says. */
export const HoldLine = ({ of: hold }: { of: Hold | null }) =>
  hold && (
    <span className="block text-xs font-normal whitespace-pre-line text-muted-foreground">
      {hold.kind === 'BOOKS' ? (
        'On hold until withdrawals resume.'
      ) : (
        <>
          {hold.sentence} <Times of={hold} />
        </>
      )}
    </span>
  )
