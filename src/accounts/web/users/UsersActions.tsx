import { useIsFetching, useMutation } from '@tanstack/react-query'
import { Download, RefreshCw, ShieldCheck } from 'lucide-react'
import { paths } from '../../../app/web/paths.ts'
import { queryClient } from '../../../app/web/query.ts'
import { Button, ButtonLink } from '../../../app/web/ui/Button.tsx'
import { notify } from '../../../app/web/ui/toast.tsx'
import type { Filters } from './usersFilters.ts'

const usersKey = ['accounts', 'users']

/** `exportable`: there is something to export. */
export const UsersActions = ({ filters, exportable }: { filters: Filters; exportable: boolean }) => {
  const fetching = useIsFetching({ queryKey: usersKey }) > 0
  const refresh = useMutation({ mutationFn: () => queryClient.invalidateQueries({ queryKey: usersKey }) })
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
