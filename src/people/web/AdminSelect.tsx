import { useQuery } from '@tanstack/react-query'
import { Select } from '../../kit/web/ui/Select.tsx'
import { api } from './calls.ts'
import { peopleKeys } from './keys.ts'

const allAdmins = { role: 'ADMIN', limit: 100 } as const

/** Options by email, which is unique; a chosen admin who is not in the list keeps an option. */
const useAdminOptions = (chosen: string) => {
  const { data: admins } = useQuery({
    queryKey: peopleKeys.list(allAdmins),
    queryFn: ({ signal }) => api.list({ query: allAdmins, signal }),
  })
  const options = (admins?.data ?? []).map(({ email, name }) => ({ value: email, label: `${name} (${email})` }))
  const known = chosen === '' || options.some(({ value }) => value === chosen)
  return [{ value: '', label: 'Everyone' }, ...options, ...(known ? [] : [{ value: chosen, label: chosen }])]
}

export const AdminSelect = ({ value, onValue }: { value: string; onValue: (email: string) => void }) => (
  <Select aria-label="Admin" className="sm:w-72" options={useAdminOptions(value)} value={value} onValue={onValue} />
)
