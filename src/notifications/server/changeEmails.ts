/** The emails about changes that answer feedback. Pure. */
import { quoted } from '../../kit/words.ts'
import type { Email } from './emailParts.ts'

export type ChangeEmailFacts = {
  FEEDBACK_RETEST_ASKED: { testId: string; title: string; version: string; change: string; quotes: string[] }
  FEEDBACK_RETESTED: {
    campaignId: string
    title: string
    alias: string
    works: boolean
    version: string
    change: string
    note: string
  }
}

export const changeEmails: { [K in keyof ChangeEmailFacts]: (facts: ChangeEmailFacts[K]) => Email } = {
  FEEDBACK_RETEST_ASKED: ({ testId, title, version, change, quotes }) => ({
    subject: `Does it work now? Your feedback: ${title}`,
    text: `Version ${version} of ${quoted(title)} addresses ${quotes.length === 1 ? 'your feedback' : `${quotes.length} of your answers`}:\n\n${quotes.map(quoted).join('\n')}\n\nWhat has changed: ${change}\n\nUpdate the app, look again, and say whether it works now.`,
    about: { kind: 'TEST', id: testId },
  }),
  FEEDBACK_RETESTED: ({ campaignId, title, alias, works, version, change, note }) => ({
    subject: `${works ? 'Works now' : 'Still broken'}, ${alias}’s feedback: ${title}`,
    text: `${alias} has looked again at version ${version} of ${quoted(title)} (${change}): ${works ? 'it works now' : 'it is still broken'}.${note === '' ? '' : `\n\n${note}`}`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
}
