import type { GridMark } from './dayGrid.ts'

export const markLooks: Record<GridMark, string> = {
  DONE: 'bg-primary text-primary-foreground',
  EXTRA: 'border border-primary text-link',
  MISSED: 'bg-red-tone text-red-tone-foreground',
  SKIPPED: 'border border-input',
  TODAY: 'border-2 border-ring',
  AHEAD: 'bg-secondary dark:bg-input',
  BEFORE: 'bg-secondary/50 opacity-60 dark:bg-secondary dark:opacity-100',
  AFTER: 'bg-secondary/50 opacity-60 dark:bg-secondary dark:opacity-100',
}

/** Letters and not pictures, of which a large matrix would need thousands. */
export const markSigns: Record<GridMark, string> = {
  DONE: '✓',
  EXTRA: '✓',
  MISSED: '✕',
  SKIPPED: '',
  TODAY: '',
  AHEAD: '',
  BEFORE: '',
  AFTER: '',
}
