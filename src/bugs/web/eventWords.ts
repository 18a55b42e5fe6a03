/** Events of a bug's thread as sentences. */
import type { BugEvent } from '../contract.ts'
import { severityWords } from '../rules.ts'

export const whoIn = ({ own, by, alias }: Pick<BugEvent, 'own' | 'by' | 'alias'>): string => {
  if (own) return 'You'
  if (by === 'TESTER') return alias ?? 'Another tester'
  return by === 'DEVELOPER' ? 'The developer' : 'Fieldtest'
}

/** Continues the sentence after the name; empty for a comment. */
export const eventWords = ({ kind, duplicateOf, version, severity }: BugEvent): string => {
  switch (kind) {
    case 'REPORTED':
      return 'reported it'
    case 'COMMENTED':
      return ''
    case 'CONFIRMED':
      return 'confirmed it'
    case 'MARKED_DUPLICATE':
      return `marked it as a duplicate of #${duplicateOf}`
    case 'FIXED':
      return `fixed it in version ${version}`
    case 'WONT_FIX':
      return 'closed it as won’t fix'
    case 'REOPENED':
      return 'reopened it'
    case 'SEVERITY_CHANGED':
      return severity === null ? 'changed the severity' : `set the severity to ${severityWords[severity].toLowerCase()}`
    case 'RETEST_WORKS':
      return `tested version ${version}: works now`
    case 'RETEST_BROKEN':
      return `tested version ${version}: still broken`
  }
}
