import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester } from '../contract.ts'
import { dropWords } from '../dropWords.ts'
import { ParticipationBadge } from './ParticipationBadge.tsx'

/** Tests that are over, last ended first: one line each, which links to the test. */
export const FinishedTests = ({ tests }: { tests: readonly CampaignTester[] }) => (
  <Card title="Finished" flush>
    <ul className="divide-y">
      {tests.map(test => (
        <li key={test.id}>
          <Link
            to={paths.myTest(test.id)}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2.5 hover:bg-muted/50 focus-visible:-outline-offset-2 sm:flex-nowrap"
          >
            <span className="min-w-0 flex-1 basis-full truncate font-medium sm:basis-0">{test.campaign.title}</span>
            <span className="text-muted-foreground max-sm:hidden">
              {test.closedAt && <DateTime at={test.closedAt} />}
            </span>
            <span className="grid justify-items-start gap-0.5 sm:justify-items-end">
              <ParticipationBadge of={test} />
              {test.dropReason && test.dropReason !== 'LEFT' && (
                <span className="text-xs text-muted-foreground">
                  {dropWords[test.dropReason](test.campaign.dropHours)}
                </span>
              )}
            </span>
            <Money cents={test.payoutAmountCents} className="ml-auto min-w-16 text-right" />
          </Link>
        </li>
      ))}
    </ul>
  </Card>
)
