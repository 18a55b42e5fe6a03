import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../contract.ts'
import { progressPercent } from '../rules.ts'
import { type CampaignSort, platformNames } from '../terms.ts'
import { CampaignBadge } from './CampaignBadge.tsx'
import { endOf, seatsText } from './words.ts'

type Props = { items: readonly Campaign[]; sort: CampaignSort; onSort: (sort: CampaignSort) => void }

/** An admin's campaigns on a wide screen: a row each, sorted by the server. */
export const CampaignTable = ({ items, sort, onSort }: Props) => (
  <Card flush>
    <Table
      caption="Campaigns"
      columns={columns}
      rows={items}
      keyOf={({ id }) => id}
      dense
      sort={{ value: sort, onValue: onSort }}
    />
  </Card>
)

const percentOf = ({ testersRequired, closedSeats, _count }: Campaign) =>
  progressPercent(_count.campaignTesters, testersRequired - closedSeats)

/** One date below the other, so that the table fits. */
const Runs = ({ of: campaign }: { of: Campaign }) => {
  const { startDate } = campaign
  const end = endOf(campaign)
  if (startDate === null) return <span className="whitespace-nowrap text-muted-foreground">Not started</span>
  return (
    <>
      <DateTime at={startDate} />
      {end && (
        <>
          {' – '}
          <DateTime at={end} />
        </>
      )}
    </>
  )
}

const columns: Column<Campaign, CampaignSort>[] = [
  {
    head: 'Campaign',
    primary: true,
    className: 'max-w-0 w-full',
    cell: ({ id, title, developer }) => (
      <>
        <Link
          to={paths.campaign(id)}
          aria-label={`View Details: ${title}`}
          className="block truncate leading-6 hover:underline"
          data-tip={title}
        >
          {title}
        </Link>
        <Link
          to={paths.user(developer.id)}
          className="block truncate text-xs leading-6 font-normal text-muted-foreground hover:underline"
          data-tip={developer.name}
        >
          {developer.name}
        </Link>
      </>
    ),
  },
  { head: 'Platform', cell: ({ platform }) => <span className="whitespace-nowrap">{platformNames[platform]}</span> },
  { head: 'Status', cell: ({ status }) => <CampaignBadge status={status} /> },
  {
    head: 'Pay',
    align: 'right',
    sorts: ['highestPay', 'lowestPay'],
    cell: ({ payPerTesterCents }) => <Money cents={payPerTesterCents} />,
  },
  { head: 'Days', align: 'right', cell: ({ durationDays }) => durationDays },
  {
    head: 'Testers',
    align: 'right',
    cell: campaign => (
      <span className="whitespace-nowrap">
        {seatsText(campaign)}
        {campaign.status === 'LIVE' && (
          <span className="block text-xs text-muted-foreground">{percentOf(campaign)}%</span>
        )}
      </span>
    ),
  },
  { head: 'Dates', cell: campaign => <Runs of={campaign} /> },
  {
    head: 'Paid in',
    align: 'right',
    sorts: ['mostPaid', 'leastPaid'],
    cell: ({ fundedCents, feeCents }) => <Money cents={fundedCents + feeCents} />,
  },
  {
    head: 'Created',
    align: 'right',
    sorts: ['newest', 'oldest'],
    cell: ({ createdAt }) => <DateTime at={createdAt} />,
  },
]
