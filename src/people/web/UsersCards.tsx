import { useQuery } from '@tanstack/react-query'
import { FailureLine } from '../../kit/web/ui/Query.tsx'
import { UserFigures } from './UserFigures.tsx'
import { countsQuery } from './calls.ts'

/** Loaded separately from the list, which still works if these fail. */
export const UsersCards = () => {
  const query = useQuery(countsQuery)
  return (
    <>
      <FailureLine of={query} title="Failed to load the figures" />
      <UserFigures of={query.data} />
    </>
  )
}
