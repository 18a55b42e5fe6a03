import type { Campaign } from '../../campaigns/contract.ts'
import { hasEnded, isRunning } from '../../campaigns/rules.ts'
import { freeSeatsOf } from '../../campaigns/seats.ts'
import { hoursBetween } from '../../kit/clock.ts'
import { useNow } from '../../kit/web/now.ts'
import { counted } from '../../kit/words.ts'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { Continuity, TesterRun } from '../contract.ts'

type Props = { campaign: Campaign; clock: Continuity }

const toTheEnd = ({ status, endDate }: Campaign, now: string): string => {
  if (!isRunning(status) || endDate === null) return 'The test has ended'
  const hours = hoursBetween(now, endDate)
  if (hours <= 0) return 'Past the planned end'
  return `${counted(Math.ceil(hours / 24), 'day')} left`
}

/** Where nobody opts in on Play: the days that each tester has kept, and those to the end. */
export const OpenLinkDays = ({ campaign, clock }: Props) => {
  const now = useNow()
  const inside = clock.testers.filter(({ status }) => status !== 'CANCELLED')
  return (
    <Card
      title={toTheEnd(campaign, now)}
      description={
        isRunning(campaign.status) &&
        campaign.endDate && (
          <>
            {hoursBetween(now, campaign.endDate) > 0 ? (
              <>
                It ends on <DateTime at={campaign.endDate} />.
              </>
            ) : (
              <>
                It was due to end on <DateTime at={campaign.endDate} />
                {/* An open dispute holds up the end. */}
                {campaign.dispute?.since ? '.' : ' and completes once no one is testing anymore.'}
                {campaign.actions.includes('pause') &&
                  freeSeatsOf(campaign) > 0 &&
                  ' Until then testers can still join, which moves the end date. Pause the campaign to prevent that.'}
              </>
            )}
          </>
        )
      }
      action={
        <ButtonLink to={paths.campaignReport(campaign.id)} variant="outline">
          Report
        </ButtonLink>
      }
      flush
      footer={
        <p className="max-w-prose text-muted-foreground">
          {campaign.platform === 'android'
            ? 'Google counts closed tests only. This campaign has an open link, so there is no date here to apply for production access.'
            : 'Production access and its 14-day rule apply only to Google Play, so an iOS app has no such date.'}
        </p>
      }
    >
      {inside.length === 0 ? (
        // Whoever has joined and left is not in it either.
        <p className="px-5 py-4 text-muted-foreground">
          {hasEnded(campaign.status)
            ? 'Nobody is testing anymore.'
            : 'Nobody is testing at the moment. Testers appear here with their days.'}
        </p>
      ) : (
        <table className="w-full">
          <caption className="sr-only">Days kept by each tester</caption>
          <thead className="sr-only">
            <tr>
              <th scope="col">Tester</th>
              <th scope="col">Days</th>
            </tr>
          </thead>
          <tbody className="divide-y">
            {inside.map(tester => (
              <Row key={tester.id} tester={tester} days={campaign.durationDays} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

const Row = ({ tester: { alias, atRisk, daysKept }, days }: { tester: TesterRun; days: number }) => (
  <tr>
    <th scope="row" className="py-2.5 pr-3 pl-5 text-left font-medium whitespace-nowrap">
      <span className="flex flex-wrap items-center gap-2">
        {alias}
        {atRisk && <Badge tone="yellow">At risk</Badge>}
      </span>
    </th>
    <td aria-hidden className="w-full py-2.5 pr-3">
      <span className="block h-2.5 overflow-hidden rounded-full bg-muted">
        <span
          className="block h-full rounded-full bg-primary"
          style={{ width: `${((daysKept ?? 0) / days) * 100}%` }}
        />
      </span>
    </td>
    <td className="py-2.5 pr-5 text-right whitespace-nowrap tabular-nums">
      {daysKept ?? 0} of {counted(days, 'day')}
    </td>
  </tr>
)
