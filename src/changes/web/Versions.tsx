import { Fragment } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import { FeedbackChain } from './FeedbackChain.tsx'
import type { AppVersion, ChangeEntry } from '../contract.ts'

type Props = {
  of: readonly AppVersion[]
  /** Set for the owner: corrects the text of a change. */
  onCorrect?: (change: ChangeEntry) => void
}

/** Each version with its changes, the bugs that they answer, and the results of retests. */
export const Versions = ({ of: versions, onCorrect }: Props) => (
  <div className="grid gap-5">
    {versions.map(({ id, version, publishedAt, changes }) => (
      <Card
        key={id}
        title={<span className="wrap-anywhere">Version {version}</span>}
        description={
          <>
            Published <DateTime at={publishedAt} />
          </>
        }
      >
        <ul className="grid gap-4">
          {changes.map(change => (
            <li key={change.id} className="border-l-2 pl-3">
              <div className="flex items-start justify-between gap-3">
                <p className="min-w-0 wrap-anywhere">{change.text}</p>
                {onCorrect && (
                  <Button variant="link" className="shrink-0 text-xs" onClick={() => onCorrect(change)}>
                    Edit<span className="sr-only">: {change.text}</span>
                  </Button>
                )}
              </div>
              {change.bugs.length > 0 && <Answered bugs={change.bugs} />}
              {change.feedback.length > 0 && <FeedbackChain of={change} />}
            </li>
          ))}
        </ul>
      </Card>
    ))}
  </div>
)

/** Each bug, and what its reporters have found. */
const Answered = ({ bugs }: { bugs: ChangeEntry['bugs'] }) => (
  <ul className="mt-1.5 grid gap-1.5" aria-label="Bugs it addresses">
    {bugs.map(bug => (
      <li key={bug.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 text-muted-foreground wrap-anywhere">
          Addresses{' '}
          {bug.mayOpen ? (
            <Link to={paths.bug(bug.id)} className="text-link underline underline-offset-4">
              #{bug.number} {bug.title}
            </Link>
          ) : (
            `#${bug.number} ${bug.title ?? ''}`.trimEnd()
          )}
        </span>
        <span className="flex flex-wrap gap-1.5">
          {bug.reporters.map(reporter => (
            <Fragment key={reporter.bugId}>
              <Found of={reporter} />
            </Fragment>
          ))}
        </span>
      </li>
    ))}
  </ul>
)

const Found = ({
  of: { bugId, alias, own, result, open },
}: {
  of: ChangeEntry['bugs'][number]['reporters'][number]
}) => {
  const who = own ? 'You' : alias
  if (result === 'WORKS') return <Badge tone="green">{who}: works now</Badge>
  if (result === 'STILL_BROKEN') return <Badge tone="red">{who}: still broken</Badge>
  if (!open) return <Badge tone="outline">{who}: no longer asked</Badge>
  if (!own) return <Badge tone="outline">{who}: not tested yet</Badge>
  return (
    <Link to={paths.bug(bugId)} className="text-xs text-link underline underline-offset-4">
      Does it work now?
    </Link>
  )
}
