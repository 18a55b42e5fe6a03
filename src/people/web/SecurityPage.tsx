import { useQuery } from '@tanstack/react-query'
import { KeyRound, Lock, MonitorSmartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '../../kit/paths.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Card, StatCard } from '../../kit/web/ui/Card.tsx'
import { Email } from '../../kit/web/ui/Email.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { RefreshButton } from '../../kit/web/ui/RefreshButton.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { SecurityReport } from '../contract.ts'
import { deviceOf } from '../../kit/userAgent.ts'
import { securityHead } from './heads.ts'
import { peopleKeys } from './keys.ts'
import { RoleBadge, UserName } from './UserName.tsx'
import { securityQuery } from './calls.ts'

export const SecurityPage = () => {
  const report = useQuery(securityQuery)
  return (
    <>
      <PageHeader
        {...securityHead}
        back={<BackLink to={paths.users}>Users</BackLink>}
        actions={<RefreshButton of={peopleKeys.security} />}
      />
      <Query of={report} loading={<SkeletonList count={6} />} errorTitle="Failed to load the security report">
        {loaded => <Report of={loaded} />}
      </Query>
    </>
  )
}

const shown = 50
/** The server returns the newest 50. */
const upTo = (rows: readonly unknown[]) => (rows.length < shown ? String(rows.length) : `${shown}+`)

const Report = ({ of: { failedLogins, lockedAccounts, refusedEmails, sessions } }: { of: SecurityReport }) => (
  <div className="grid gap-5">
    <div className="grid gap-3 sm:grid-cols-3">
      <StatCard
        label="Failed sign-ins"
        value={upTo(failedLogins)}
        caption="Kept for a limited time"
        icon={<KeyRound aria-hidden />}
      />
      <StatCard
        label="Locked accounts"
        value={upTo(lockedAccounts)}
        caption="Too many wrong passwords"
        icon={<Lock aria-hidden />}
      />
      <StatCard
        label="Active sessions"
        value={upTo(sessions)}
        caption="Currently signed in"
        icon={<MonitorSmartphone aria-hidden />}
      />
    </div>
    <Section
      title="Locked accounts"
      none="No locked accounts."
      caption="Locked accounts"
      columns={lockedColumns}
      rows={lockedAccounts}
    />
    <Section
      title="Failed sign-ins"
      none="No failed sign-ins."
      caption="Failed sign-ins"
      columns={failedColumns}
      rows={failedLogins}
    />
    <Section
      title="Undeliverable email"
      none="No mail server is permanently refusing our email."
      caption="Undeliverable email"
      columns={refusedColumns}
      rows={refusedEmails}
    />
    <Section
      title="Active sessions"
      none="No active sessions."
      caption="Active sessions"
      columns={sessionColumns}
      rows={sessions}
    />
  </div>
)

const Section = <Row,>({
  title,
  none,
  caption,
  columns,
  rows,
}: {
  title: string
  none: ReactNode
  caption: string
  columns: Column<Row>[]
  rows: Row[]
}) => (
  <Card
    title={title}
    flush
    footer={rows.length >= shown && <p className="text-muted-foreground">Showing the newest {shown}.</p>}
  >
    {rows.length === 0 ? (
      <p className="px-5 py-4 text-muted-foreground">{none}</p>
    ) : (
      <Table caption={caption} columns={columns} rows={rows} keyOf={row => JSON.stringify(row)} />
    )}
  </Card>
)

const lockedForWords: Record<SecurityReport['lockedAccounts'][number]['lockedFor'], string> = {
  UNKNOWN_DEVICES: 'Sign-in from unknown devices',
  KNOWN_DEVICE: 'Sign-in from a known device',
  OWN_PASSWORD: 'Actions that require the password',
}

const lockedColumns: Column<SecurityReport['lockedAccounts'][number]>[] = [
  { head: 'Account', primary: true, cell: ({ email }) => <Email address={email} /> },
  { head: 'Locked action', cell: row => lockedForWords[row.lockedFor] },
  { head: 'Wrong passwords', align: 'right', cell: ({ failures }) => failures },
  { head: 'Unlocks', align: 'right', cell: ({ until }) => <RelativeTime at={until} /> },
]

const failedColumns: Column<SecurityReport['failedLogins'][number]>[] = [
  {
    head: 'Account',
    primary: true,
    cell: ({ email }) =>
      email === null ? <span className="text-muted-foreground">No such account</span> : <Email address={email} />,
  },
  { head: 'IP address', cell: ({ ip }) => ip },
  { head: 'When', align: 'right', cell: ({ at }) => <DateTime at={at} withTime /> },
]

const refusedColumns: Column<SecurityReport['refusedEmails'][number]>[] = [
  { head: 'User', primary: true, cell: ({ user }) => <UserName of={user} /> },
  { head: 'Mail server’s response', cell: ({ answer }) => <span className="wrap-anywhere">{answer}</span> },
  { head: 'When', align: 'right', cell: ({ at }) => <DateTime at={at} withTime /> },
]

const sessionColumns: Column<SecurityReport['sessions'][number]>[] = [
  { head: 'User', primary: true, cell: ({ user }) => <UserName of={user} /> },
  { head: 'Role', cell: ({ user }) => <RoleBadge role={user.role} /> },
  { head: 'Device', cell: ({ userAgent }) => deviceOf(userAgent) },
  { head: 'IP address', cell: ({ ip }) => ip },
  { head: 'Last used', align: 'right', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
]
