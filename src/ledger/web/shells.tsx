/** The balance before its code has loaded (src/app/web/screenShells.tsx). */
import { StatCard } from '../../kit/web/ui/Card.tsx'
import { Skeleton, SkeletonList } from '../../kit/web/ui/States.tsx'
import { onTheWayWords, WithdrawFrame, withdrawalsGoTo } from './balanceFrames.tsx'

const blank = '\u00A0'

export const BalanceShell = () => (
  <div className="grid gap-5">
    <div className="grid gap-3 sm:grid-cols-2">
      <StatCard label="Available balance" value={blank} caption={blank} />
      <StatCard {...onTheWayWords} value={blank} />
    </div>
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      {/* Where the provider may need an account, the words depend on it. */}
      <WithdrawFrame
        description={<span className="block in-data-[checkout=provider]:hidden">{withdrawalsGoTo(null)}</span>}
      >
        <Skeleton className="h-28" />
      </WithdrawFrame>
    </div>
    <SkeletonList count={5} />
  </div>
)
