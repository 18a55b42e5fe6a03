import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { messageOf } from '../../kit/web/apiError.ts'
import { downloadBlob } from '../../kit/web/download.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { DropdownMenu, MenuItem } from '../../kit/web/ui/DropdownMenu.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { api } from './calls.ts'

const files = {
  csv: { name: 'bugs.csv', of: (id: string) => api.csv({ params: { id } }) },
  markdown: { name: 'bugs.md', of: (id: string) => api.text({ params: { id } }) },
  github: { name: 'bugs-github.md', of: (id: string) => api.text({ params: { id }, query: { form: 'github' } }) },
}

/** Exports all bugs of the campaign, regardless of the filters. */
export const ExportMenu = ({ campaignId }: { campaignId: string }) => {
  const save = useMutation({
    mutationFn: async (form: keyof typeof files) => downloadBlob(files[form].name, await files[form].of(campaignId)),
    onError: error => notify.error(messageOf(error, 'Failed to export the bugs')),
  })
  return (
    <DropdownMenu
      trigger={
        <Button variant="outline" loading={save.isPending} className="sm:ml-auto">
          <Download aria-hidden /> Export all
        </Button>
      }
    >
      <MenuItem onSelect={() => save.mutate('csv')}>Table (CSV)</MenuItem>
      <MenuItem onSelect={() => save.mutate('markdown')}>Markdown</MenuItem>
      <MenuItem onSelect={() => save.mutate('github')}>GitHub’s issue form (Markdown)</MenuItem>
    </DropdownMenu>
  )
}
