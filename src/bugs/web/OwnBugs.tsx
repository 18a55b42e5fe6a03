import { useInfiniteQuery } from '@tanstack/react-query'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import type { CampaignTester } from '../../participations/contract.ts'
import { BugList } from './BugList.tsx'
import { bugPages } from './calls.ts'
import { mayReportNow, waitsForNdaNow } from './mayReportNow.ts'

const nothingWords = (test: CampaignTester) =>
  mayReportNow(test)
    ? 'No bugs reported yet. If something goes wrong in the app, report it here.'
    : 'You did not report any bugs.'

/** On a test's screen: the bugs that its tester reported, and a link to report more. */
export const OwnBugs = ({ of: test }: { of: CampaignTester }) => {
  const bugs = useInfiniteQuery(bugPages(test.campaign.id))
  return (
    <Card
      title="Bugs"
      description={
        waitsForNdaNow(test)
          ? 'You can report bugs once you have accepted the NDA.'
          : 'The bugs you reported, and their status.'
      }
      flush
      action={
        mayReportNow(test) && (
          <ButtonLink to={paths.bugReport(test.id)} variant="outline" size="sm">
            Report a bug
          </ButtonLink>
        )
      }
    >
      <InfiniteQuery
        of={bugs}
        loading={
          <div className="p-5">
            <SkeletonList count={2} className="h-12" />
          </div>
        }
        errorTitle="Failed to load your bugs"
        empty={<p className="px-5 py-4 text-muted-foreground">{nothingWords(test)}</p>}
      >
        {items => <BugList of={items} whose="own" />}
      </InfiniteQuery>
    </Card>
  )
}
