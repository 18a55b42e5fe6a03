import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { DialogPlace } from '../../kit/web/ui/DialogPlace.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Pager } from '../../kit/web/ui/Pager.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { EmptyState, Skeleton } from '../../kit/web/ui/States.tsx'
import { usersHead } from './heads.ts'
import { UserTable } from './UserTable.tsx'
import { UsersActions } from './UsersActions.tsx'
import { UsersCards } from './UsersCards.tsx'
import { UsersToolbar } from './UsersToolbar.tsx'
import { usersQuery } from './calls.ts'
import { noFilters, useUsersFilters } from './usersFilters.ts'

export const UsersPage = () => {
  const { filters, at, filtered, change, turn } = useUsersFilters()
  const users = useQuery(usersQuery(filters, at))
  return (
    <>
      <PageHeader {...usersHead} actions={<UsersActions filters={filters} exportable={Boolean(users.data?.total)} />} />
      <UsersCards />
      <UsersToolbar filters={filters} onChange={change} />
      <DialogPlace>
        <Query
          of={users}
          loading={<LoadingUsers />}
          errorTitle="Error Loading Users"
          errorMessage="Failed to load users data"
          empty={<NoUsers page={at.page} filtered={filtered} onClear={() => change(noFilters)} />}
        >
          {loaded => (
            <Card
              flush
              className={users.isPlaceholderData ? 'opacity-60 transition-opacity' : 'transition-opacity'}
              footer={<Pager of={loaded} onTurn={turn} />}
            >
              <UserTable users={loaded.data} />
            </Card>
          )}
        </Query>
      </DialogPlace>
    </>
  )
}

const LoadingUsers = () => (
  <div role="status" className="grid gap-3">
    <p className="text-muted-foreground">Loading users...</p>
    {Array.from({ length: 8 }, (_, index) => (
      <Skeleton key={index} className="h-14" />
    ))}
  </div>
)

const NoUsers = ({ page, filtered, onClear }: { page: number; filtered: boolean; onClear: () => void }) => (
  <EmptyState
    title={filtered || page === 1 ? 'No users found' : 'Nothing on this page'}
    hint={filtered && 'Try adjusting your search or filter criteria'}
    icon={<SearchX aria-hidden />}
    action={
      (filtered || page > 1) && (
        <Button variant="outline" onClick={onClear}>
          {filtered ? 'Clear filters' : 'Go to first page'}
        </Button>
      )
    }
  />
)
