import type { ReactNode } from 'react'
import { hasTesterList } from '../../campaigns/rules.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { ClosedTestClock } from './ClosedTestClock.tsx'
import { OpenLinkDays } from './OpenLinkDays.tsx'
import { useContinuity } from './calls.ts'

/** The hero of a campaign that has started: when its owner can apply for production access, and what endangers the date. */
export const Clock = ({ campaign, applied }: { campaign: Campaign; applied: ReactNode }) => (
  <Query of={useContinuity(campaign.id)} loading={<LoadingClock />} errorTitle="Failed to load the clock">
    {clock =>
      hasTesterList(campaign.accessMode) ? (
        <ClosedTestClock campaign={campaign} clock={clock} applied={applied} />
      ) : (
        <OpenLinkDays campaign={campaign} clock={clock} />
      )
    }
  </Query>
)

const LoadingClock = () => (
  <div role="status" className="rounded-xl border bg-card p-5 shadow-card">
    <span className="sr-only">Loading the clock</span>
    <Skeleton className="h-7 w-2/3 max-w-sm" />
    <Skeleton className="mt-2 h-5 w-full max-w-lg" />
    <div className="mt-5 grid grid-cols-2 gap-3 lg:grid-cols-4">
      {['a', 'b', 'c', 'd'].map(key => (
        <Skeleton key={key} className="h-16" />
      ))}
    </div>
    <Skeleton className="mt-5 h-40" />
  </div>
)
