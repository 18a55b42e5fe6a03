import { useMutation } from '@tanstack/react-query'
import { Download, ShieldCheck } from 'lucide-react'
import { paths } from '../../kit/paths.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { RefreshButton } from '../../kit/web/ui/RefreshButton.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { peopleKeys } from './keys.ts'
import type { Filters } from './usersFilters.ts'

/** `exportable`: whether the list has rows to export. */
export const UsersActions = ({ filters, exportable }: { filters: Filters; exportable: boolean }) => {
  const csv = useMutation({
    mutationFn: async () => (await import('./exportUsers.ts')).exportUsers(filters),
    onError: error => notify.error(messageOf(error, 'Failed to export users')),
  })
  return (
    <>
      <RefreshButton of={peopleKeys.all} />
      <Button variant="outline" disabled={!exportable} loading={csv.isPending} onClick={() => csv.mutate()}>
        <Download aria-hidden /> Export CSV
      </Button>
      <ButtonLink variant="outline" to={paths.security}>
        <ShieldCheck aria-hidden /> Security Report
      </ButtonLink>
    </>
  )
}
