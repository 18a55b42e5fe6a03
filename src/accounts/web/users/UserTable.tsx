import { type Column, Table } from '../../../app/web/ui/Table.tsx'
import { Money, RelativeTime } from '../../../app/web/ui/Values.tsx'
import type { AdminUser } from '../../usersContract.ts'
import { UserMenu } from './UserMenu.tsx'
import { RoleBadge, StatusBadge, UserName } from './UserName.tsx'
import { activityOf } from './userWords.ts'

export const UserTable = ({ users }: { users: readonly AdminUser[] }) => (
  <Table caption="Users" columns={columns} rows={users} keyOf={({ id }) => id} />
)

const columns: Column<AdminUser>[] = [
  { head: 'User', primary: true, cell: user => <UserName of={user} /> },
  { head: 'Role', cell: user => <RoleBadge role={user.role} /> },
  { head: 'Status', cell: user => <StatusBadge status={user.status} /> },
  { head: 'Balance', align: 'right', cell: user => <Money cents={user.balanceCents} /> },
  { head: 'Activity', align: 'right', className: 'whitespace-nowrap', cell: activityOf },
  {
    head: 'Last Active',
    align: 'right',
    cell: ({ lastActive }) => (lastActive ? <RelativeTime at={lastActive} /> : 'never'),
  },
  { head: 'Actions', align: 'right', cell: user => <UserMenu user={user} /> },
]
