/** Whom the filter could not name otherwise: admins who have deleted their accounts, and those who had another name. */
import { useQuery } from '@tanstack/react-query'
import type { AuditAction } from '../actions.ts'
import { api } from './calls.ts'
import { auditKeys } from './keys.ts'

const useEntries = (action: AuditAction) => {
  const query = { action, limit: 100 }
  const { data } = useQuery({
    queryKey: auditKeys.log(query),
    queryFn: ({ signal }) => api.auditLog({ query, signal }),
  })
  return data?.data ?? []
}

/** What the log calls an admin whose account was deleted (decision 050). */
const markOf = (id: string): string => `Deleted admin ${id.slice(-8)}`

export type PastAdmins = {
  gone: readonly { value: string; label: string }[]
  /** The names of before, by the admin's id. */
  namesBefore: ReadonlyMap<string, readonly string[]>
}

export const usePastAdmins = (): PastAdmins => {
  const deletions = useEntries('admin.delete')
  const renames = useEntries('admin.rename')
  const names = new Map(deletions.map(({ subjectId, facts }) => [subjectId, String(facts['name'])]))
  return {
    gone: [...names].map(([id, name]) => ({ value: markOf(id), label: `${name} (deleted)` })),
    namesBefore: new Map(
      [...Map.groupBy(renames, ({ subjectId }) => subjectId)].map(([id, entries]) => [
        id,
        [...new Set(entries.map(({ facts }) => String(facts['nameBefore'])))],
      ]),
    ),
  }
}
