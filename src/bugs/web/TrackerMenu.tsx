import { ClipboardCopy } from 'lucide-react'
import { Suspense, lazy, useState } from 'react'
import { Button } from '../../kit/web/ui/Button.tsx'
import { DropdownMenu, MenuItem } from '../../kit/web/ui/DropdownMenu.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Bug } from '../contract.ts'
import type { BugTextForm } from '../terms.ts'

const GitHubDialog = lazy(async () => ({ default: (await import('./GitHubDialog.tsx')).GitHubDialog }))

/** This bug for an issue tracker. */
export const TrackerMenu = ({ bug }: { bug: Bug }) => {
  const [asking, setAsking] = useState(false)
  const copy = async (form: BugTextForm) => {
    try {
      const text = import('../trackerText.ts').then(
        ({ markdownOf }) =>
          new Blob([markdownOf(bug, form, form === 'github' ? 'untitled' : 'titled')], { type: 'text/plain' }),
      )
      // Begun at once, with a text that comes later: Safari lets a page write only while it handles a press.
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
      notify.success('Copied')
    } catch {
      notify.error('Could not copy. Export all bugs instead.')
    }
  }
  return (
    <>
      <DropdownMenu
        trigger={
          <Button variant="outline">
            <ClipboardCopy aria-hidden /> Export to tracker
          </Button>
        }
      >
        <MenuItem onSelect={() => void copy('markdown')}>Copy as Markdown</MenuItem>
        <MenuItem onSelect={() => void copy('github')}>Copy for GitHub’s issue form</MenuItem>
        <MenuItem onSelect={() => setAsking(true)}>New issue on GitHub</MenuItem>
      </DropdownMenu>
      {asking && (
        <Suspense>
          <GitHubDialog bug={bug} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
