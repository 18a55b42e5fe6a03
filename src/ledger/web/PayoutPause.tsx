import type { User } from '../../accounts/contract.ts'
import { useNow } from '../../kit/web/now.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import { pauseCause } from '../rules.ts'

/** Why nothing can be withdrawn now, and until when; empty if there is no pause. */
export const PayoutPause = ({ user: { payoutsPausedUntil: until, payoutsPausedBecause } }: { user: User }) => {
  const now = useNow()
  if (until === null || payoutsPausedBecause === null || until <= now) return null
  return (
    <Alert tone="yellow" title="Withdrawals are paused" className="mb-5">
      {pauseCause[payoutsPausedBecause]}. To keep your money safe, withdrawals are paused until{' '}
      <DateTime at={until} withTime /> (<RelativeTime at={until} />
      ).
    </Alert>
  )
}
