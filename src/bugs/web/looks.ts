/** Colors and words of bugs on screens. */
import type { Tone } from '../../kit/web/ui/Badge.tsx'
import type { BugSummary, KnownBug } from '../contract.ts'
import { statusWords } from '../rules.ts'
import type { BugSeverity, BugStatus } from '../terms.ts'

export const statusTones: Record<BugStatus, Tone> = {
  OPEN: 'yellow',
  CONFIRMED: 'blue',
  DUPLICATE: 'gray',
  FIXED: 'green',
  WONT_FIX: 'gray',
}

export const severityTones: Record<BugSeverity, Tone> = {
  CRITICAL: 'red',
  HIGH: 'red',
  MEDIUM: 'yellow',
  LOW: 'neutral',
}

export const severityHints: Record<BugSeverity, string> = {
  CRITICAL: 'It crashes, loses data, or cannot be used at all.',
  HIGH: 'Something important does not work.',
  MEDIUM: 'It works, but not as it should.',
  LOW: 'Something small: wording, a color, the spacing.',
}

type Stated = Pick<KnownBug, 'status' | 'fixedIn'> & Partial<Pick<BugSummary, 'duplicateOf'>>

/** "Fixed in 1.2", "Duplicate of #3". */
export const stateOf = ({ status, fixedIn, duplicateOf }: Stated): string => {
  if (status === 'FIXED') return `Fixed in ${fixedIn}`
  return status === 'DUPLICATE' && duplicateOf ? `Duplicate of #${duplicateOf.number}` : statusWords[status]
}
