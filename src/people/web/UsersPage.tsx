import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { Card } from '../../kit/web/ui/Card.tsx'
import { DialogPlace } from '../../kit/web/ui/DialogPlace.tsx'
import { foundOf } from '../../kit/web/ui/foundWords.ts'
import { NoRows } from '../../kit/web/ui/NoRows.tsx'
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
          found={{ words: foundOf('user'), by: [filters, at] }}
          empty={
            <NoRows
              page={at.page}
              onFirst={() => turn({ page: 1 })}
              filtered={filtered}
              title="No users found"
              hint="Try adjusting your search or filter criteria"
              onClear={() => change(noFilters)}
              none={<EmptyState title="No users found" icon={<SearchX aria-hidden />} />}
            />
          }
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
