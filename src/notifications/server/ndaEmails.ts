/** The emails about a campaign's NDA. Pure. */
import { type Email, format } from './emailParts.ts'
import { goesBack, type Seat } from './refundWords.ts'

/** Sent to the tester. */
type OfTest = { testId: string; title: string }
/** Of one of a campaign's testers; sent to the developer. */
type OfTester = { campaignId: string; testId: string; title: string; alias: string }

export type NdaEmailFacts = {
  /** `hours`: from joining to the loss of the seat, of a test whose days begin with accepting it. */
  NDA_ASKED: OfTest & { asked: keyof typeof askedWords; hours: number }
  NDA_LATE: OfTest & { dropsAt: string; hours: number }
  NDA_LATE_OWNER: OfTester & { dropsAt: string; hours: number }
  NDA_REFUSED_OWNER: OfTester & Seat
}

const notAffected = 'Your days, check-ins, proof and pay are not affected.'

/** By what the tester has accepted: nothing, since there was no NDA; an older version; or none of those that the seat came with. */
const askedWords = {
  FIRST: (title: string) =>
    `The developer of “${title}” asks its testers to accept an NDA. Open your test and read it; the app link and bug reports are available again once you accept. ${notAffected}`,
  CHANGED: (title: string) =>
    `The developer of “${title}” has changed the NDA. Open your test, read the new version and accept it. ${notAffected}`,
  BEFORE_ITS_DAYS: (title: string, hours: number) =>
    `The developer of “${title}” has changed the NDA that you have not accepted yet. Open your test, read the new version, and accept it within ${hours} hours of joining to keep your seat. Your test begins once you accept.`,
}

/** Taken by nobody after the campaign's end or a lost dispute; else closed where pay was taken from it. */
const seatAfterRefusal = (seat: Seat): string => {
  const { campaign, surplus } = seat
  if (campaign === 'ENDED' || surplus === 'COVERS') return `What is left of the seat’s pay and fee ${goesBack[surplus]}`
  return surplus === 'WAITS'
    ? `If they were paid for any, their seat is closed, and what is left of its pay and fee ${goesBack.WAITS} Otherwise the seat is free, but nobody can take it until the bank has decided.`
    : 'If they were paid for any, their seat is closed, and what is left of its pay and fee is refunded to you; otherwise the seat is free again.'
}

export const ndaEmails: { [K in keyof NdaEmailFacts]: (facts: NdaEmailFacts[K]) => Email } = {
  NDA_ASKED: ({ testId, title, asked, hours }) => ({
    subject: `${asked === 'FIRST' ? 'Accept an NDA' : 'The NDA has changed'}: ${title}`,
    text: askedWords[asked](title, hours),
    about: { kind: 'TEST', id: testId },
  }),
  NDA_LATE: ({ testId, title, dropsAt, hours }) => ({
    subject: `Accept the NDA: ${title}`,
    text: `You joined “${title}” ${hours} hours ago and have not accepted its NDA. Read and accept it before ${format(dropsAt)} to keep your seat.`,
    about: { kind: 'TEST', id: testId },
  }),
  NDA_LATE_OWNER: ({ campaignId, testId, title, alias, dropsAt, hours }) => ({
    subject: `${alias} may drop out of ${title}`,
    text: `${alias} has had ${hours} hours to accept the NDA of “${title}”, and has not done so. If they do not accept it, they lose their seat on ${format(dropsAt)}.`,
    about: { kind: 'TESTERS', id: campaignId, testId },
  }),
  NDA_REFUSED_OWNER: ({ campaignId, testId, title, alias, ...seat }) => ({
    subject: `${alias} left: ${title}`,
    text: `${alias} did not accept the changed NDA of “${title}” and has left with the pay for the days completed. ${seatAfterRefusal(seat)}`,
    about: { kind: 'TESTERS', id: campaignId, testId },
  }),
}
