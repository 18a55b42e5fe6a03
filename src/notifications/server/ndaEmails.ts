/** The emails about a campaign's NDA. Pure. */
import { type Email, format } from './emailParts.ts'

/** Sent to the tester. */
type OfTest = { testId: string; title: string }
/** Of one of a campaign's testers; sent to the developer. */
type OfTester = { campaignId: string; testId: string; title: string; alias: string }

export type NdaEmailFacts = {
  /** `changed`: the tester was asked to accept an older version before. */
  NDA_ASKED: OfTest & { changed: boolean }
  NDA_LATE: OfTest & { dropsAt: string; hours: number }
  NDA_LATE_OWNER: OfTester & { dropsAt: string; hours: number }
  NDA_REFUSED_OWNER: OfTester
}

export const ndaEmails: { [K in keyof NdaEmailFacts]: (facts: NdaEmailFacts[K]) => Email } = {
  NDA_ASKED: ({ testId, title, changed }) => ({
    subject: `${changed ? 'The NDA has changed' : 'Accept an NDA'}: ${title}`,
    text: changed
      ? `The developer of “${title}” has changed the NDA. Open your test, read the new version and accept it. Your days, check-ins, proof and pay are not affected.`
      : `The developer of “${title}” asks its testers to accept an NDA. Open your test and read it; the link to the app comes back once you accept. Your days, check-ins, proof and pay are not affected.`,
    about: { kind: 'TEST', id: testId },
  }),
  NDA_LATE: ({ testId, title, dropsAt, hours }) => ({
    subject: `Accept the NDA: ${title}`,
    text: `You joined “${title}” ${hours} hours ago and have not accepted its NDA. Read and accept it before ${format(dropsAt)} to keep your seat.`,
    about: { kind: 'TEST', id: testId },
  }),
  NDA_LATE_OWNER: ({ campaignId, testId, title, alias, dropsAt, hours }) => ({
    subject: `${alias} may drop out of ${title}`,
    text: `${alias} has not accepted the NDA of “${title}” for ${hours} hours. If they do not, their seat opens to another tester on ${format(dropsAt)}.`,
    about: { kind: 'TESTERS', id: campaignId, testId },
  }),
  NDA_REFUSED_OWNER: ({ campaignId, testId, title, alias }) => ({
    subject: `${alias} left: ${title}`,
    text: `${alias} did not accept the changed NDA of “${title}” and has left with the pay for the days completed. If they were paid for any, their seat is closed, and what is left of its pay and fee is refunded to you; otherwise the seat is free again.`,
    about: { kind: 'TESTERS', id: campaignId, testId },
  }),
}
