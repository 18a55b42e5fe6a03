/** The balance before it is known, also before its code has loaded (src/app/web/screenShells.tsx). */
import { StatCard } from '../../kit/web/ui/Card.tsx'
import { Skeleton, SkeletonList } from '../../kit/web/ui/States.tsx'
import { availableLabel, onTheWayWords, WithdrawFrame, withdrawalsGoTo } from './balanceFrames.tsx'

const blank = '\u00A0'

export const BalanceShell = () => (
  <div className="grid gap-5">
    <div className="grid gap-3 sm:grid-cols-2">
      <StatCard label={availableLabel} value={blank} caption={blank} />
      <StatCard {...onTheWayWords} value={blank} />
    </div>
    {/* Where the provider may need an account, the words depend on it. */}
    <Skeleton className="hidden h-64 rounded-xl in-data-[checkout=provider]:block" />
    <div className="grid items-start gap-5 in-data-[checkout=provider]:hidden lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <WithdrawFrame description={withdrawalsGoTo(null)}>
        <Skeleton className="h-28" />
      </WithdrawFrame>
    </div>
    <SkeletonList count={5} />
  </div>
)
