import { Badge } from '../../kit/web/ui/Badge.tsx'
import type { BugSummary, OriginalBug } from '../contract.ts'
import { retestOf, severityWords } from '../rules.ts'
import type { BugSeverity } from '../terms.ts'
import { severityTones, stateOf, statusTones } from './looks.ts'

/** A long version is truncated here, and appears in full on the bug's screen. */
export const BugStatusBadge = ({ of: bug }: { of: OriginalBug | BugSummary }) => (
  <Badge tone={statusTones[bug.status]} className="max-w-48">
    <span className="truncate">{stateOf(bug)}</span>
  </Badge>
)

export const SeverityBadge = ({ of: severity }: { of: BugSeverity }) => (
  <Badge tone={severityTones[severity]}>
    <span className="sr-only">Severity: </span>
    {severityWords[severity]}
  </Badge>
)

export const RetestBadge = ({ of: bug }: { of: Parameters<typeof retestOf>[0] }) => {
  const retest = retestOf(bug)
  if (retest === null) return null
  if (retest === 'ASKED') return <Badge tone="violet">Retest requested</Badge>
  return retest === 'WORKS' ? <Badge tone="green">Works now</Badge> : <Badge tone="red">Still broken</Badge>
}
