/** The emails about bugs: reports, comments, decisions and retests. Pure. */
import { quoted } from '../../kit/words.ts'
import type { Email } from './emailParts.ts'

/** `campaign` and `bug` are their titles. */
type OfBug = { bugId: string; campaign: string; number: number; bug: string }

export type BugEmailFacts = {
  BUG_REPORTED: OfBug & { alias: string; severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' }
  BUG_COMMENTED: OfBug & { from: string; text: string; files: number }
  /** `what` ends a sentence that begins with the bug: "is confirmed". `byAdmin`: an admin did it, so the developer is told as well. */
  BUG_CHANGED: OfBug & { what: string; note: string; byAdmin?: boolean }
  RETEST_ASKED: OfBug & { version: string; note: string }
  BUG_RETESTED: OfBug & { alias: string; works: boolean; version: string; note: string }
}

const about = (id: string) => ({ kind: 'BUG', id }) as const
const withNote = (note: string) => (note === '' ? '' : `\n\n${note}`)
const nameOf = ({ number, bug }: OfBug) => `#${number} ${quoted(bug)}`

export const bugEmails: { [K in keyof BugEmailFacts]: (facts: BugEmailFacts[K]) => Email } = {
  BUG_REPORTED: ({ alias, severity, ...of }) => ({
    subject: `Bug #${of.number} reported: ${of.campaign}`,
    text: `${alias} reported a bug in ${quoted(of.campaign)}, severity ${severity.toLowerCase()}: ${nameOf(of)}. Open it to see the steps and to answer.`,
    about: about(of.bugId),
  }),
  BUG_COMMENTED: ({ from, text, files, ...of }) => ({
    subject: `New comment on bug #${of.number}: ${of.campaign}`,
    text: `${from} wrote about bug ${nameOf(of)}${files > 0 ? ` and attached ${files === 1 ? 'a file' : `${files} files`}` : ''}.${withNote(text)}`,
    about: about(of.bugId),
  }),
  BUG_CHANGED: ({ what, note, byAdmin, ...of }) => ({
    subject: `Bug #${of.number} has changed: ${of.campaign}`,
    text: `${byAdmin ? `An admin changed bug ${nameOf(of)} of ${quoted(of.campaign)}: it` : `Bug ${nameOf(of)} of ${quoted(of.campaign)}`} ${what}.${withNote(note)}`,
    about: about(of.bugId),
  }),
  RETEST_ASKED: ({ version, note, ...of }) => ({
    subject: `Does it work now? Bug #${of.number}: ${of.campaign}`,
    text: `Bug ${nameOf(of)} of ${quoted(of.campaign)} is marked as fixed in version ${version}.${withNote(note)}\n\nUpdate the app, repeat the steps, and say whether it works now.`,
    about: about(of.bugId),
  }),
  BUG_RETESTED: ({ alias, works, version, note, ...of }) => ({
    subject: `${works ? 'Works now' : 'Still broken'}, bug #${of.number}: ${of.campaign}`,
    text: works
      ? `${alias} retested bug ${nameOf(of)} in version ${version}: it works now.${withNote(note)}`
      : `${alias} retested bug ${nameOf(of)} in version ${version}: it is still broken. It is open again.${withNote(note)}`,
    about: about(of.bugId),
  }),
}
