import { useQuery } from '@tanstack/react-query'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import { NdaWords } from './NdaWords.tsx'
import { ndaQuery } from './calls.ts'

/** The text that a campaign asks for now, to read before joining. */
export const NdaText = ({ campaignId }: { campaignId: string }) => (
  <Query
    of={useQuery(ndaQuery(campaignId))}
    loading={<Skeleton className="h-40 rounded-md" />}
    errorTitle="Failed to load the NDA"
  >
    {({ current }) =>
      current === null ? (
        <p className="text-muted-foreground">The developer no longer requires an NDA.</p>
      ) : (
        <>
          <NdaWords text={current.text} label="The NDA" />
          <p className="mt-1 text-xs text-muted-foreground">
            Version {current.version}, from <DateTime at={current.setAt} />
          </p>
        </>
      )
    }
  </Query>
)
