import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { AdminUser } from '../contract.ts'
import { UserMenu } from './UserMenu.tsx'
import { RoleBadge, StatusBadge, UserName } from './UserName.tsx'
import { activityOf } from './userWords.ts'

export const UserTable = ({ users }: { users: readonly AdminUser[] }) => (
  <Table caption="Users" columns={columns} rows={users} keyOf={({ id }) => id} inSteps />
)

const LastActive = ({ of: { lastActive } }: { of: AdminUser }) =>
  lastActive ? <RelativeTime at={lastActive} /> : 'Never'

/** On phones, the details are below the name, because seven lines per user would make a long list. */
const OnPhone = ({ user }: { user: AdminUser }) => (
  <span className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 pl-11 font-normal lg:hidden">
    <RoleBadge role={user.role} />
    <StatusBadge status={user.status} />
    <span className="text-muted-foreground">
      Balance <Money cents={user.balanceCents} /> · {activityOf(user)}
      <span className="block">
        {user.lastActive ? (
          <>
            Active <RelativeTime at={user.lastActive} />
          </>
        ) : (
          'Never active'
        )}
      </span>
    </span>
  </span>
)

const wide = 'max-lg:hidden'

const columns: Column<AdminUser>[] = [
  {
    head: 'User',
    primary: true,
    className: 'max-lg:col-start-1 max-lg:row-start-1 max-lg:pr-12',
    cell: user => (
      <>
        <UserName of={user} />
        <OnPhone user={user} />
      </>
    ),
  },
  { head: 'Role', className: wide, cell: user => <RoleBadge role={user.role} /> },
  { head: 'Status', className: wide, cell: user => <StatusBadge status={user.status} /> },
  { head: 'Balance', className: wide, align: 'right', cell: user => <Money cents={user.balanceCents} /> },
  { head: 'Activity', className: `${wide} whitespace-nowrap`, align: 'right', cell: activityOf },
  { head: 'Last Active', className: wide, align: 'right', cell: user => <LastActive of={user} /> },
  // On phones, the menu is in the corner of the card, without a heading.
  {
    head: 'Actions',
    className:
      'max-lg:col-start-1 max-lg:row-start-1 max-lg:self-start max-lg:justify-self-end max-lg:[&>span:first-child]:hidden',
    align: 'right',
    cell: user => <UserMenu user={user} />,
  },
]
