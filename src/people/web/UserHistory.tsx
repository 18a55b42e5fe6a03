import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { Tabs } from '../../kit/web/ui/Tabs.tsx'
import { DateTime, Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import { oneOf, useUrlValue } from '../../kit/web/urlFilters.ts'
import { actionWords } from '../../audit/words.ts'
import { CampaignBadge } from '../../campaigns/web/face.tsx'
import { TransactionBadge } from '../../ledger/web/face.tsx'
import { ParticipationBadge } from '../../participations/web/face.tsx'
import type { UserProfile } from '../contract.ts'
import { deviceOf } from '../../kit/userAgent.ts'
import { codeInWords } from '../../kit/words.ts'

const kinds = ['campaigns', 'tests', 'transactions', 'sessions', 'actions'] as const
type Kind = (typeof kinds)[number]

/** The user's newest activity and the admins' actions on the account; the open tab is kept in the URL. */
export const UserHistory = ({ user }: { user: UserProfile }) => {
  const first = user.role === 'DEVELOPER' ? 'campaigns' : user.role === 'TESTER' ? 'tests' : 'sessions'
  const [open, setOpen] = useUrlValue('tab', oneOf(kinds, first))
  const { campaigns, tests, transactions, sessions, adminActions } = user
  const all: Record<Kind, { label: string; content: ReactNode }> = {
    campaigns: {
      label: 'Campaigns',
      content: <Rows caption="Campaigns" none="No campaigns yet." rows={campaigns} columns={campaignColumns} />,
    },
    tests: {
      label: 'Tests',
      content: <Rows caption="Tests" none="No tests yet." rows={tests} columns={testColumns} />,
    },
    transactions: {
      label: 'Transactions',
      content: (
        <Rows caption="Transactions" none="No transactions yet." rows={transactions} columns={transactionColumns} />
      ),
    },
    sessions: {
      label: 'Sessions',
      content: <Rows caption="Sessions" none="No sessions yet." rows={sessions} columns={sessionColumns} />,
    },
    actions: {
      label: 'Admin actions',
      content: (
        <Rows caption="Admin actions" none="No admin actions yet." rows={adminActions} columns={actionColumns} />
      ),
    },
  }
  const shown = kinds.filter(kind => {
    if (kind === 'campaigns') return user.role === 'DEVELOPER'
    if (kind === 'tests') return user.role === 'TESTER'
    return kind !== 'transactions' || user.role !== 'ADMIN'
  })
  return (
    <Tabs<Kind>
      label={`History of ${user.name}`}
      tabs={shown.map(value => ({ value, ...all[value] }))}
      value={shown.includes(open) ? open : first}
      onValue={kind => setOpen(kind)}
    />
  )
}

type Row = { id: string }

const Rows = <R extends Row>({
  caption,
  columns,
  rows,
  none,
}: {
  caption: string
  columns: Column<R>[]
  rows: R[]
  none: string
}) =>
  rows.length === 0 ? (
    <Card>
      <p className="py-6 text-center text-muted-foreground">{none}</p>
    </Card>
  ) : (
    <Card flush footer={rows.length >= 10 && <p className="text-muted-foreground">Showing the newest 10.</p>}>
      <Table caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} />
    </Card>
  )

const CampaignLink = ({ of: { id, title } }: { of: { id: string; title: string } }) => (
  <Link to={paths.campaign(id)} className="underline-offset-4 hover:underline">
    {title}
  </Link>
)

const campaignColumns: Column<UserProfile['campaigns'][number]>[] = [
  { head: 'Campaign', primary: true, cell: campaign => <CampaignLink of={campaign} /> },
  { head: 'Status', cell: ({ status }) => <CampaignBadge status={status} /> },
  { head: 'Created', align: 'right', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
]

const testColumns: Column<UserProfile['tests'][number]>[] = [
  { head: 'Campaign', primary: true, cell: ({ campaign }) => <CampaignLink of={campaign} /> },
  { head: 'Status', cell: ({ status }) => <ParticipationBadge of={{ status }} /> },
  { head: 'Joined', align: 'right', cell: ({ joinedAt }) => <DateTime at={joinedAt} /> },
]

const transactionColumns: Column<UserProfile['transactions'][number]>[] = [
  { head: 'Description', primary: true, cell: ({ description }) => description },
  { head: 'Type', cell: ({ type }) => codeInWords(type) },
  { head: 'Status', cell: ({ status }) => <TransactionBadge status={status} /> },
  { head: 'Date', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  { head: 'Amount', align: 'right', cell: ({ amountCents }) => <Money cents={amountCents} /> },
]

const sessionColumns: Column<UserProfile['sessions'][number]>[] = [
  { head: 'Device', primary: true, cell: ({ userAgent }) => deviceOf(userAgent) },
  { head: 'IP address', cell: ({ ip }) => ip },
  { head: 'Status', cell: ({ ended }) => <Badge tone={ended ? 'gray' : 'green'}>{ended ? 'Ended' : 'Active'}</Badge> },
  { head: 'Last used', align: 'right', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
]

const actionColumns: Column<UserProfile['adminActions'][number]>[] = [
  {
    head: 'Action',
    primary: true,
    cell: ({ action, adminName }) => `${adminName ?? 'Server command'} ${actionWords(action)} this user`,
  },
  { head: 'Reason', cell: ({ reason }) => reason ?? '–' },
  { head: 'When', align: 'right', cell: ({ at }) => <RelativeTime at={at} /> },
]
