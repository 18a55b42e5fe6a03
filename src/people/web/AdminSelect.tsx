import { useQuery } from '@tanstack/react-query'
import { Select } from '../../kit/web/ui/Select.tsx'
import { api } from './calls.ts'
import { peopleKeys } from './keys.ts'

const allAdmins = { role: 'ADMIN', limit: 100 } as const

type Props = {
  value: string
  onValue: (admin: string) => void
  /** Those whose accounts were deleted. */
  gone: readonly { value: string; label: string }[]
  /** By the admin's id. */
  namesBefore: ReadonlyMap<string, readonly string[]>
}

/** Admins by email, which is unique; a chosen admin who is not in the list keeps an option. */
const useAdminOptions = ({ value: chosen, gone, namesBefore }: Props) => {
  const { data: admins } = useQuery({
    queryKey: peopleKeys.list(allAdmins),
    queryFn: ({ signal }) => api.list({ query: allAdmins, signal }),
  })
  const present = (admins?.data ?? []).map(({ id, email, name }) => {
    const before = (namesBefore.get(id) ?? []).filter(other => other !== name)
    return { value: email, label: `${name} (${[email, ...before.map(other => `before: ${other}`)].join(', ')})` }
  })
  const options = [...present, ...gone]
  const known = chosen === '' || options.some(({ value }) => value === chosen)
  return [{ value: '', label: 'Everyone' }, ...options, ...(known ? [] : [{ value: chosen, label: chosen }])]
}

export const AdminSelect = (props: Props) => (
  <Select
    aria-label="Admin"
    className="sm:w-72"
    options={useAdminOptions(props)}
    value={props.value}
    onValue={props.onValue}
  />
)
