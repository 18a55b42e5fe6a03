import { useState } from 'react'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { FieldFrame } from '../../kit/web/ui/FieldFrame.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import type { Bug } from '../contract.ts'
import { isRepository, newIssueLink } from '../trackerText.ts'
import { lastRepository } from './drafts.ts'

/** Links to GitHub's form for a new issue, filled in. Nothing is sent until it is submitted there. */
export const GitHubDialog = ({ bug, onClose }: { bug: Bug; onClose: () => void }) => {
  const kept = lastRepository()
  const [typed, setTyped] = useState(() => kept.read()?.repository ?? '')
  const repository = typed.trim()
  const valid = isRepository(repository)
  const link = valid ? newIssueLink(bug, repository) : null
  const problem =
    repository !== '' && !valid
      ? 'Enter the owner and the repository, such as acme/notes'
      : valid && link === null
        ? 'This bug is too long for a link. Copy it for GitHub’s issue form instead.'
        : undefined
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="New issue on GitHub"
      description="Opens GitHub with the issue filled in. Review it there before you submit it: issues may be public."
    >
      <div className="grid gap-5">
        <FieldFrame label="Repository" error={problem}>
          {wiring => (
            <Input
              {...wiring}
              placeholder="owner/repository"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={201}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </FieldFrame>
        <div className="flex flex-wrap gap-3">
          {link === null ? (
            <Button disabled>Open GitHub</Button>
          ) : (
            <ButtonLink
              to={link}
              target="_blank"
              rel="noopener noreferrer"
              onClick={() => {
                kept.save({ repository })
                onClose()
              }}
            >
              Open GitHub<span className="sr-only"> (opens in a new tab)</span>
            </ButtonLink>
          )}
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
