import { useMutation } from '@tanstack/react-query'
import { Suspense, lazy, useRef, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { forgotten } from '../../kit/words.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { FieldFrame } from '../../kit/web/ui/FieldFrame.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Bug, BugChange, KnownBug, OriginalBug } from '../contract.ts'
import { severityWords } from '../rules.ts'
import { bugSeverities } from '../terms.ts'
import { BugStatusBadge, RetestBadge } from './BugBadges.tsx'
import { api, refreshBugs } from './calls.ts'

const FixDialog = lazy(async () => ({ default: (await import('./FixDialog.tsx')).FixDialog }))
const DuplicateDialog = lazy(async () => ({ default: (await import('./DuplicateDialog.tsx')).DuplicateDialog }))
const WontFixDialog = lazy(async () => ({ default: (await import('./WontFixDialog.tsx')).WontFixDialog }))

/** The state of the bug and, for those who may decide, the possible decisions. */
export const Decisions = ({ bug, decides }: { bug: Bug; decides: boolean }) => (
  <Card title="Status" className="lg:sticky lg:top-20">
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-1.5">
        <BugStatusBadge of={bug} />
        <RetestBadge of={bug} />
      </div>
      {bug.status === 'FIXED' && <p className="wrap-anywhere">Fixed in version {bug.fixedIn}.</p>}
      {bug.duplicateOf && <Original of={bug.duplicateOf} />}
      {bug.duplicates.length > 0 && <Duplicates of={bug.duplicates} />}
      {decides && <Buttons bug={bug} />}
    </div>
  </Card>
)

const Named = ({ of: bug }: { of: OriginalBug }) =>
  bug.mayOpen ? (
    <Link to={paths.bug(bug.id)} className="text-link underline underline-offset-4 wrap-anywhere">
      #{bug.number} {bug.title}
    </Link>
  ) : (
    <span className="wrap-anywhere">
      #{bug.number} {bug.title}
    </span>
  )

const Original = ({ of: original }: { of: OriginalBug }) => (
  <div className="grid justify-items-start gap-1">
    <p>
      Duplicate of <Named of={original} />
    </p>
    <BugStatusBadge of={original} />
  </div>
)

const Duplicates = ({ of: duplicates }: { of: readonly KnownBug[] }) => (
  <div>
    <h3 className="font-medium">Also reported as</h3>
    <ul className="mt-1 grid gap-1">
      {duplicates.map(each => (
        <li key={each.id}>
          <Named of={each} />
        </li>
      ))}
    </ul>
  </div>
)

const dialogs = { markFixed: FixDialog, markDuplicate: DuplicateDialog, wontFix: WontFixDialog }

const Buttons = ({ bug }: { bug: Bug }) => {
  const { id, actions } = bug
  const [asked, setAsked] = useState<keyof typeof dialogs | null>(null)
  const change = useMutation({
    mutationFn: (body: BugChange) => api.change({ params: { id }, body }),
    onSuccess: async (_bug, { status }) => {
      notify.success(status === 'CONFIRMED' ? 'Bug confirmed' : 'Bug reopened')
      await refreshBugs()
    },
    onError: error => notify.error(messageOf(error, 'Failed to change the bug')),
  })
  const Asked = asked && dialogs[asked]
  const pending = (status: BugChange['status']) => change.isPending && change.variables.status === status
  return (
    <>
      <div className="grid gap-2">
        {actions.includes('markFixed') && <Button onClick={() => setAsked('markFixed')}>Mark as fixed</Button>}
        {actions.includes('confirm') && (
          <Button
            variant="outline"
            loading={pending('CONFIRMED')}
            onClick={() => change.mutate({ status: 'CONFIRMED' })}
          >
            Confirm
          </Button>
        )}
        {actions.includes('markDuplicate') && (
          <Button variant="outline" onClick={() => setAsked('markDuplicate')}>
            Mark as duplicate
          </Button>
        )}
        {actions.includes('wontFix') && (
          <Button variant="outline" onClick={() => setAsked('wontFix')}>
            Won’t fix
          </Button>
        )}
        {actions.includes('reopen') && (
          <Button variant="outline" loading={pending('OPEN')} onClick={() => change.mutate({ status: 'OPEN' })}>
            Reopen
          </Button>
        )}
      </div>
      {actions.includes('setSeverity') && <SeveritySelect bug={bug} />}
      <p className="text-xs text-muted-foreground">
        {bug.device.model === forgotten
          ? 'The tester has deleted their account.'
          : 'The tester is notified of each change.'}
      </p>
      {Asked && (
        <Suspense>
          <Asked bug={bug} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  )
}

/**
 * Arrow keys change the value one by one, so the field stays enabled. Of the values chosen during a request, only the last is
 * sent.
 */
const SeveritySelect = ({ bug: { id, severity } }: { bug: Bug }) => {
  const last = useRef(severity)
  const change = useMutation({
    scope: { id: `severity of ${id}` },
    mutationFn: async (chosen: typeof severity) => {
      if (chosen === last.current) await api.change({ params: { id }, body: { severity: chosen } })
    },
    onSuccess: refreshBugs,
    onError: error => notify.error(messageOf(error, 'Failed to change the bug')),
  })
  return (
    <FieldFrame label="Severity">
      {wiring => (
        <Select
          {...wiring}
          value={change.isPending ? change.variables : severity}
          options={bugSeverities.map(value => ({ value, label: severityWords[value] }))}
          onValue={value => {
            const chosen = bugSeverities.find(each => each === value)
            if (!chosen) return
            last.current = chosen
            change.mutate(chosen)
          }}
        />
      )}
    </FieldFrame>
  )
}
