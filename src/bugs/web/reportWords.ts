/** What the form of a bug report says first, also before its code has loaded (shells.tsx). */
import { severityWords } from '../rules.ts'
import { bugSeverities } from '../terms.ts'
import { severityHints } from './looks.ts'

export const reportTitle = 'Report a bug'

export const titleField = { label: 'Title', hint: 'What goes wrong, in one line.' }

export const severityField = {
  label: 'How bad is it?',
  className: 'sm:grid-cols-2',
  options: bugSeverities.map(value => ({ value, label: severityWords[value], hint: severityHints[value] })),
}

export const stepsField = {
  label: 'Steps',
  hint: 'What you did, step by step, so that the developer can reproduce it.',
}
