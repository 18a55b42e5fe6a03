import { useIsFetching, useMutation } from '@tanstack/react-query'
import { Download, RefreshCw, ShieldCheck } from 'lucide-react'
import { paths } from '../../kit/paths.ts'
import { invalidate } from '../../kit/web/query.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { peopleKeys } from './keys.ts'
import type { Filters } from './usersFilters.ts'

/** `exportable`: whether the list has rows to export. */
export const UsersActions = ({ filters, exportable }: { filters: Filters; exportable: boolean }) => {
  const fetching = useIsFetching({ queryKey: peopleKeys.all }) > 0
  const refresh = useMutation({ mutationFn: () => invalidate(peopleKeys.all) })
  const csv = useMutation({
    mutationFn: async () => (await import('./exportUsers.ts')).exportUsers(filters),
    onError: () => notify.error('Failed to export users'),
  })
  return (
    <>
      <Button variant="outline" loading={refresh.isPending && fetching} onClick={() => refresh.mutate()}>
        <RefreshCw aria-hidden /> Refresh
      </Button>
      <Button variant="outline" disabled={!exportable} loading={csv.isPending} onClick={() => csv.mutate()}>
        <Download aria-hidden /> Export CSV
      </Button>
      <ButtonLink variant="outline" to={paths.security}>
        <ShieldCheck aria-hidden /> Security Report
      </ButtonLink>
    </>
  )
}
