/** What emails say depends on the case: every promise about money, seats, deadlines and access is read here in each of its cases. */
import { describe, expect, test } from 'vitest'
import { emailExamples } from '../../testing/emailExamples.ts'
import type { Email } from './emailParts.ts'
import { type EmailFacts, type EmailKind, writeEmail } from './emails.ts'

/** The email about these facts, with those of the example for the rest. */
const email = <K extends EmailKind>(kind: K, facts: Partial<EmailFacts[K]> = {}) =>
  writeEmail(kind, { ...emailExamples[kind], ...facts })

/** Each text ends with its words, or contains them if more follows. */
const expectWords = (said: readonly (readonly [Email, string])[]) => {
  for (const [{ text }, words] of said) expect(text).toContain(words)
}

describe('the money of a campaign', () => {
  const cancelled = (facts: Partial<EmailFacts['CAMPAIGN_CANCELLED_OWNER']>) => {
    const none = {
      surplus: 'REFUNDED',
      paid: true,
      pending: false,
      started: true,
      daysPaid: false,
      held: false,
    } as const
    const { text } = writeEmail('CAMPAIGN_CANCELLED_OWNER', { campaignId: '', title: 'Notes', ...none, ...facts })
    return text.replace('An admin cancelled your campaign “Notes”. ', '')
  }

  test.each([
    [{ paid: false }, 'Nothing has been paid for it, so nothing is refunded.'],
    [{ paid: false, pending: true }, 'If the payment that you have started goes through, we refund all of it to you.'],
    [{ started: false }, 'We refund what you paid.'],
    [
      { started: false, pending: true },
      'We refund what you paid. If the payment that you have started goes through, we refund all of it to you.',
    ],
    [
      { started: false, surplus: 'COVERS' },
      'What you paid first covers what your bank took back, and only the rest is refunded to you.',
    ],
    [{}, 'We refund what is left of your payment.'],
    [
      { surplus: 'WAITS' },
      'What is left of your payment stays held until your bank has decided on the dispute. What it does not take back is refunded then.',
    ],
    [{ daysPaid: true }, 'Testers are paid for the days they completed, and we refund the rest to you.'],
    [{ held: true }, 'What proofs that are still open may earn stays held, and we refund the rest to you.'],
    [
      { daysPaid: true, held: true },
      'Testers are paid for the days they completed, what proofs that are still open may earn stays held, and we refund the rest to you.',
    ],
    [
      { daysPaid: true, held: true, surplus: 'COVERS' },
      'Testers are paid for the days they completed, and what proofs that are still open may earn stays held. The rest first covers what your bank took back, and only the rest is refunded to you.',
    ],
    [{ reason: 'It is spam.' }, 'We refund what is left of your payment.\n\nIt is spam.'],
  ] as const)('cancelled with %j', (facts, words) => {
    expect(cancelled(facts)).toBe(words)
  })

  test('a tester of a cancelled campaign is told what was paid, and for what', () => {
    expectWords([
      [email('CAMPAIGN_CANCELLED', { amountCents: 0 }), 'You had not completed a day, so this test does not pay.'],
      [email('CAMPAIGN_CANCELLED', { waited: true }), 'one day’s pay, $0.71, was added to your balance.'],
      [email('CAMPAIGN_CANCELLED', { waited: false }), '$0.71 for the days you completed was added to your balance.'],
      [
        email('CAMPAIGN_CANCELLED', { maySubmit: true }),
        'You can still submit the proof that you were asked to change',
      ],
    ])
  })

  test('a completed campaign’s rest is refunded, or goes where the dispute about its payment says', () => {
    expectWords([
      [email('CAMPAIGN_COMPLETED', { surplus: 'REFUNDED' }), 'We refund any money that was not used.'],
      [email('CAMPAIGN_COMPLETED', { surplus: 'WAITS' }), 'What was not used stays held until your bank has decided'],
      [email('CAMPAIGN_COMPLETED', { surplus: 'COVERS' }), 'What was not used first covers what your bank took back'],
    ])
  })

  test('a payment that arrived says what it is for, and one that is sent back says why', () => {
    expectWords([
      [email('PAYMENT_ARRIVED', { renews: true }), 'We refund the same amount from your earlier payment.'],
      [email('PAYMENT_ARRIVED', { renews: false }), 'The campaign is now submitted for approval.'],
      [email('PAYMENT_RETURNED', { owedCents: 0 }), 'went through when the campaign could no longer accept it'],
      [email('PAYMENT_RETURNED', { owedCents: 700 }), 'went through while you owe $7.00 for a payment'],
      [email('PAYMENT_RETURNED', { isDraft: true }), 'The campaign is a draft'],
    ])
    expect(email('PAYMENT_RETURNED', { isDraft: false }).text).not.toContain('draft')
  })

  test('an approved campaign can start now, or once its payment is no longer disputed', () => {
    expectWords([
      [email('CAMPAIGN_APPROVED', { disputed: false }), 'You can start it now.'],
      [email('CAMPAIGN_APPROVED', { disputed: true }), 'once your bank has decided in your favor'],
    ])
  })
})

describe('a disputed payment', () => {
  test.each([
    ['AHEAD', 'no tester can join the campaign', 'it is cancelled', 'has not started and is cancelled'],
    ['RUNNING', 'the campaign accepts no new testers', 'Current testers can finish', 'current testers can finish'],
    ['ENDED', 'proofs that are still under review cannot be rejected', '“. From what is left', '”.'],
  ] as const)(
    'of a campaign that is %s: what it means while it is open and once it is lost',
    (stage, open, lost, admins) => {
      const end = stage === 'ENDED'
      expect(email('DISPUTE_OPENED_OWNER', { stage }).text).toContain(open)
      const outcome = { stage, lost: true } as const
      expect(email('DISPUTE_CLOSED_OWNER', outcome).text).toContain(end ? '”. From what is left we first deduct' : lost)
      expect(email('DISPUTE_CLOSED_ADMIN', outcome).text).toContain(admins)
      if (end) expect(email('DISPUTE_CLOSED_ADMIN', outcome).text).toMatch(/”\.$/)
    },
  )

  test('that was won frees the refunds unless another one is open, and the campaign continues unless it has ended', () => {
    const won = (stage: 'RUNNING' | 'ENDED', others: 'NONE' | 'OPEN' | 'LOST') => {
      const facts = { lost: false, stage, others }
      return [email('DISPUTE_CLOSED_OWNER', facts).text, email('DISPUTE_CLOSED_ADMIN', facts).text].map(text =>
        text.replace(/^[^]*(stands)\. ?/, ''),
      )
    }
    const refunds = 'Refunds that were on hold are on their way.'
    expect(won('RUNNING', 'NONE')).toEqual([`The campaign continues as before. ${refunds}`, 'The campaign continues.'])
    expect(won('ENDED', 'NONE')).toEqual([refunds, ''])
    expect(won('RUNNING', 'OPEN')).toEqual([
      'Another payment for it is still disputed, so refunds stay on hold until that is decided.',
      '',
    ])
    expect(won('RUNNING', 'LOST')).toEqual([
      `${refunds} We first deduct what your bank has already returned to you from another payment.`,
      '',
    ])
  })

  test('that is decided says in its subject who has the money', () => {
    for (const [kind, lost, subject] of [
      ['DISPUTE_CLOSED_OWNER', true, 'Your bank took the payment back: '],
      ['DISPUTE_CLOSED_OWNER', false, 'The dispute is over: '],
      ['DISPUTE_CLOSED_ADMIN', true, 'A dispute was lost: '],
      ['DISPUTE_CLOSED_ADMIN', false, 'A dispute was won: '],
    ] as const)
      expect(email(kind, { lost }).subject.startsWith(subject)).toBe(true)
  })

  test('that left a debt: the developer is told when it is paid or waived, and what else is owed', () => {
    expectWords([
      [email('DEBT_SETTLED', { waived: true }), 'You do not have to pay the $34.50'],
      [email('DEBT_SETTLED', { waived: false }), 'We have received the $34.50'],
      [email('DEBT_SETTLED', { owedCents: 0 }), 'You can pay for campaigns again.'],
      [email('DEBT_SETTLED', { owedCents: 1 }), 'You still owe $0.01 for other payments.'],
    ])
    expect(email('DEBT_SETTLED', { waived: true }).subject).toBe('Debt waived: $34.50')
    expect(email('DEBT_SETTLED', { waived: false }).subject).toBe('Debt settled: $34.50')
  })
})

describe('a seat that is given up', () => {
  const seat = { campaign: 'TAKES_TESTERS', isPastEnd: false, surplus: 'REFUNDED' } as const
  const free = 'Their seat is open to another tester.'
  const pastEnd = 'The campaign is past its end date, and completes as soon as nobody is testing anymore.'
  const paused = 'The seat is free, but nobody can take it while the campaign is paused.'
  const waits = 'The seat is free, but nobody can take it until your bank has decided on the dispute.'

  test.each([
    [{}, true, free],
    [{ campaign: 'PAUSED' }, true, paused],
    [{ isPastEnd: true }, false, `${pastEnd} Until then another tester can take the seat.`],
    [{ campaign: 'PAUSED', isPastEnd: true }, false, pastEnd],
    [{ surplus: 'WAITS' }, true, waits],
    [
      { surplus: 'COVERS' },
      false,
      'The seat is closed. What you paid for it first covers what your bank took back, and only the rest is refunded to you.',
    ],
    [{ campaign: 'ENDED' }, false, 'The pay and the fee of the seat are refunded to you.'],
    [
      { campaign: 'ENDED', surplus: 'WAITS' },
      false,
      'The pay and the fee of the seat stay held until your bank has decided on the dispute. What it does not take back is refunded then.',
    ],
    [
      { campaign: 'ENDED', surplus: 'COVERS' },
      false,
      'The pay and the fee of the seat first cover what your bank took back, and only the rest is refunded to you.',
    ],
  ] as const)('with %j', (facts, isGivenAgain, fate) => {
    const { subject, text } = email('TESTER_DROPPED_OWNER', { ...seat, ...facts, why: null })
    expect(text).toMatch(/^Tester 7 is no longer testing “[^]*”\. /)
    expect(text.endsWith(`”. ${fate}`)).toBe(true)
    expect(subject.startsWith(isGivenAgain ? 'A seat is open again' : 'Tester 7 is no longer testing')).toBe(true)
  })

  test('because of a refused NDA may have been paid for, and is free again only if it was not', () => {
    const refused = (facts: object) => email('NDA_REFUSED_OWNER', { ...seat, ...facts })
    const left = 'What is left of the seat’s pay and fee'
    expectWords([
      [refused({}), 'If they were paid for any, their seat is closed, and what is left of its pay and fee is refunded'],
      [refused({ surplus: 'WAITS' }), 'nobody can take it until the bank has decided'],
      [refused({ surplus: 'COVERS' }), `${left} first covers what your bank took back`],
      [refused({ campaign: 'ENDED' }), `${left} is refunded to you.`],
      [refused({ campaign: 'ENDED', surplus: 'WAITS' }), `${left} stays held until your bank has decided`],
    ])
  })

  test('by a tester who was dropped names the reason', () => {
    const dropped = (reason: EmailFacts['TESTER_DROPPED']['reason']) => email('TESTER_DROPPED', { reason })
    expectWords([
      [dropped('NO_CHECK_IN'), 'because you did not check in for 72 hours.'],
      [dropped('NO_PROOF'), 'because you did not submit the proof that was due within 72 hours.'],
      [dropped('NOT_OPTED_IN'), 'because you did not opt in on Google Play within 72 hours.'],
      [dropped('NDA_NOT_ACCEPTED'), 'because you did not accept the NDA within 72 hours.'],
      [dropped('OPTED_OUT'), 'because you were opted out on Google Play for 72 hours.'],
      [email('TESTER_DROPPED_OWNER'), '(no proof within 72 hours)'],
    ])
  })

  test('or held for somebody on the bench: why it is taken back, and why no more come', () => {
    expectWords([
      [email('SEAT_TAKEN_BACK', { why: 'PAUSED' }), 'was paused, so you cannot accept the seat'],
      [email('SEAT_TAKEN_BACK', { why: 'CLOSED' }), 'is not accepting new testers at the moment'],
      [email('SEAT_TAKEN_BACK', { why: 'PASSED_ON' }), 'somebody ahead of you in line has the seat now'],
      [email('BENCH_ENDED', { ended: true }), 'has ended'],
      [email('BENCH_ENDED', { ended: false }), 'accepts no more testers'],
    ])
    expect(email('SEAT_TAKEN_BACK', { why: 'PASSED_ON' }).subject).toContain('Somebody else has the seat')
    expect(email('SEAT_TAKEN_BACK', { why: 'CLOSED' }).subject).toContain('Your seat is on hold')
  })
})

describe('a deadline', () => {
  const until = '⟨2026-03-01T08:00:00.000Z⟩'

  test('of a proof says whether it is the first one, and what a check-in still helps', () => {
    const late = (facts: Partial<EmailFacts['PROOF_LATE']>) => email('PROOF_LATE', facts)
    expectWords([
      [late({ changes: true }), `were requested 48 hours ago. Submit it again before ${until}`],
      [late({ changes: false }), `your proof has been due for 48 hours. Submit it before ${until}`],
      [late({ checkInUntil: null }), 'Checking in again does not extend this deadline.'],
      [late({ checkInUntil: '2026-03-02T08:00:00Z' }), 'Checking in again keeps your seat until ⟨2026-03-02T08'],
      [email('PROOF_LATE_OWNER', { changes: true }), 'Changes to the proof of Tester 7'],
      [email('PROOF_LATE_OWNER', { changes: false }), 'The days of Tester 7'],
    ])
    expect(late({ changes: true }).subject).toContain('Submit your proof again: ')
    expect(late({ changes: false }).subject).toContain('Submit your proof: ')
  })

  test('of a check-in says that a proof helps as well once the days are over, and what a loss costs the developer', () => {
    expectWords([
      [email('TESTER_AT_RISK', { proofDue: true }), 'Your days are over: submit your proof, or check in, before'],
      [email('TESTER_AT_RISK', { proofDue: false }), 'for 48 hours. Check in before'],
      [email('TESTER_AT_RISK_OWNER', { proofDue: true }), 'neither check in nor submit their proof'],
      [email('TESTER_AT_RISK_OWNER', { proofDue: false }), 'If they do not check in'],
      [email('TESTER_AT_RISK_OWNER'), '\n\nYour earliest date to apply: It moves from March 3 to March 9.'],
      [email('CHECK_IN_DUE', { zone: 'America/New_York' }), 'before midnight in America/New York, the time zone'],
      [email('CHECK_IN_DUE', { zone: null }), 'before midnight, so that the day counts.'],
    ])
    expect(email('TESTER_AT_RISK', { proofDue: true }).subject).toContain('You may lose your seat')
    expect(email('TESTER_AT_RISK', { proofDue: false }).subject).toContain('Check in today')
    expect(email('TESTER_AT_RISK_OWNER', { cost: null }).text).not.toContain('earliest date')
  })

  test('of an opt-in says what else helps, and an opt-out whether the seat is lost', () => {
    expectWords([
      [email('OPT_IN_LATE', { mayReport: true }), 'report that in your test instead'],
      [email('TESTER_OPTED_OUT_OWNER'), `If they do not, they lose their seat on ${until}.`],
    ])
    expect(email('OPT_IN_LATE', { mayReport: false }).text).not.toContain('report')
    expect(email('TESTER_OPTED_OUT_OWNER', { dropsAt: null }).text).not.toContain('lose their seat')
  })

  test('of a link is in the words of its hours', () => {
    expectWords([
      [email('CONFIRM_EMAIL', { hours: 1 }), 'The link works once, within an hour.'],
      [email('CONFIRM_EMAIL', { hours: 2 }), 'The link works once, within 2 hours.'],
    ])
  })
})

describe('a rejection', () => {
  test('by an admin is not called the developer’s', () => {
    expectWords([
      [email('APPEAL_OWNER', { byAdmin: true }), 'appealed an admin’s rejection'],
      [email('APPEAL_OWNER', { byAdmin: true }), 'An admin will look at it again and decide.'],
      [email('APPEAL_OWNER', { byAdmin: false }), 'appealed your rejection'],
      [email('APPEAL_OWNER', { byAdmin: false }), 'An admin will look at what both of you say and decide.'],
      [email('APPEAL_GRANTED_OWNER', { byAdmin: true }), 'against an admin’s rejection'],
      [email('APPEAL_UPHELD_OWNER', { byAdmin: true }), 'An admin upheld the rejection'],
      [email('APPEAL_UPHELD_OWNER', { byAdmin: false }), 'An admin upheld your rejection'],
      [email('REJECTION_FINAL_OWNER', { byAdmin: true }), 'against an admin’s rejection'],
      [email('GOODWILL_PAID_OWNER', { byAdmin: true }), 'not a judgment on the rejection'],
      [email('GOODWILL_PAID_OWNER', { byAdmin: false }), 'not a judgment on your rejection'],
    ])
    expect(email('APPEAL_UPHELD_OWNER', { byAdmin: true }).subject).toContain('A rejection was upheld')
    expect(email('APPEAL_UPHELD_OWNER', { byAdmin: false }).subject).toContain('Your rejection was upheld')
  })

  test('that nobody decided on in time promises the developer a refund only where nothing holds it', () => {
    expectWords([
      [email('GOODWILL_HELD_OWNER', { surplus: 'REFUNDED' }), 'pays the tester and refunds the seat to you, but'],
      [email('GOODWILL_HELD_OWNER', { surplus: 'WAITS' }), 'pays the tester from its own money, but'],
    ])
  })

  test('verification or request for changes that an admin decided is told the developer with its consequence', () => {
    const decided = (facts: EmailFacts['PROOF_DECIDED_OWNER']['decided']) =>
      email('PROOF_DECIDED_OWNER', { decided: facts })
    expectWords([
      [decided({ as: 'VERIFIED', amountCents: 1000 }), 'and $10.00 was paid to them.'],
      [
        decided({ as: 'CHANGES_REQUESTED', note: 'More.', hours: 72 }),
        'More.\n\nThey can submit it again within 72 hours.',
      ],
      [
        decided({ as: 'REJECTED', reason: 'No.', appealBy: '2026-03-01T08:00:00Z' }),
        'They can appeal before ⟨2026-03-01',
      ],
    ])
  })
})

describe('an opt-in', () => {
  test('that does not count says under which conditions the tester may opt in again', () => {
    const voided = (facts: Partial<EmailFacts['OPT_IN_VOIDED']>) => email('OPT_IN_VOIDED', facts)
    expectWords([
      [voided({ frozen: false }), 'You can opt in again on Google Play and confirm it in your test'],
      [
        voided({ frozen: false, suspended: true }),
        'Your account was suspended, so you cannot opt in again unless it is',
      ],
      [
        voided({ frozen: true }),
        'Your proof was rejected, so you cannot opt in again unless an admin grants your appeal;',
      ],
      [voided({ frozen: true, suspended: true }), 'Your proof was rejected and your account suspended'],
      [email('OPT_IN_VOIDED_OWNER', { frozen: false }), 'The tester may opt in again.'],
      [
        email('OPT_IN_VOIDED_OWNER', { frozen: true }),
        'so they cannot opt in again unless an admin grants their appeal.',
      ],
      [email('OPT_IN_VOIDED_OWNER', { gone: true }), 'Their account is suspended or was deleted'],
    ])
  })

  test('of a deleted tester counts while they stay where they are, which a contest leaves open', () => {
    const deleted = (facts: Partial<EmailFacts['TESTER_DELETED_OWNER']>) => email('TESTER_DELETED_OWNER', facts)
    expectWords([
      [deleted({ inGroup: true }), 'as long as they stay in your Google Group'],
      [deleted({ inGroup: true }), 'do not remove them from it.'],
      [deleted({ inGroup: false }), 'as long as they stay on the list in Play Console'],
      [deleted({ inGroup: false }), 'do not replace that list with the whole file'],
      [deleted({ contested: true }), 'You contested their opt-in. If it counts again, they count'],
      [deleted({}), 'can contain it. They count towards your date'],
      [deleted({}), 'If you remove them today, the date moves from Dec 3 to Dec 9.'],
    ])
    expect(deleted({ cost: null }).text).not.toContain('If you remove them')
  })

  test('needs the tester list: the developer is told who is missing on it, and who is kept out although on it', () => {
    const [first, second] = ['Tester 1', 'Tester 2']
    const waiting = (facts: Partial<EmailFacts['TESTERS_WAIT_FOR_LIST']>) => email('TESTERS_WAIT_FOR_LIST', facts)
    expectWords([
      [waiting({ inGroup: true }), 'until you add them to your Google Group.'],
      [waiting({ inGroup: false }), 'until you add them to the tester list in Play Console.'],
      [waiting({}), 'Google Play does not let Tester 2 in'],
      [email('TESTER_NOT_LET_IN_OWNER', { inGroup: true }), 'is in your Google Group, but Google Play'],
      [email('TESTER_NOT_LET_IN_OWNER', { inGroup: false }), 'is on your tester list, but Google Play'],
      [email('TESTER_LISTED', { inGroup: true }), 'added your Google account to the Google Group of the test'],
      [email('TESTER_LISTED', { inGroup: false }), 'added your Google account to the tester list'],
    ])
    expect(waiting({ aliases: [first, second], keptOut: [] }).text).not.toContain('does not let')
    expect(waiting({ aliases: [second], keptOut: [second] }).text).not.toContain('until you add them')
  })

  test('may end: testers are told why, and what becomes of their pay', () => {
    expectWords([
      [email('MAY_OPT_OUT', { because: 'APPLIED' }), 'has applied to Google for production access'],
      [email('MAY_OPT_OUT', { because: 'CANCELLED' }), 'Your pay stays as it is. You may opt out'],
      [email('MAY_OPT_OUT', { because: 'CANCELLED_IN_REVIEW' }), 'Your proof is still reviewed'],
      [email('TEST_VERIFIED', { stayDays: 14 }), 'you may opt out 14 days after the campaign has ended.'],
    ])
    expect(email('TEST_VERIFIED', { stayDays: null }).text).not.toContain('stay opted in')
  })
})

describe('an account', () => {
  test('is told that withdrawals are paused only if they are', () => {
    const paused = 'withdrawals are paused for 24 hours.'
    for (const kind of ['PASSWORD_CHANGED', 'EMAIL_CHANGED', 'PAYMENT_METHOD_CHANGED'] as const) {
      expect(email(kind, { pauseHours: 24 }).text).toContain(paused)
      expect(email(kind, { pauseHours: null }).text).not.toContain('withdrawals')
    }
  })

  test('is told how its password changed, and what a change of its address that was undone has removed', () => {
    const undone = (facts: Partial<EmailFacts['EMAIL_CHANGE_UNDONE']>) => email('EMAIL_CHANGE_UNDONE', facts)
    expectWords([
      [
        email('PASSWORD_CHANGED', { byLink: true }),
        'with a link from an email, and you were signed out on all devices.',
      ],
      [email('PASSWORD_CHANGED', { byLink: false }), 'and you were signed out on all other devices.'],
      [undone({ moved: true }), 'was undone: your account uses old@example.test again.'],
      [undone({ moved: false }), 'was stopped: your account still uses old@example.test.'],
      [undone({ removedFactors: 1 }), 'One second factor added after the change was requested was removed.'],
      [undone({ removedFactors: 2 }), '2 second factors added after the change was requested were removed.'],
      [email('SIGNED_OUT', { by: 'REUSED_TOKEN' }), 'Its session was used from two places at once.'],
      [email('SIGNED_OUT', { by: 'ANOTHER_SESSION' }), 'It was signed out from another device, with your password.'],
    ])
    expect(undone({ removedFactors: 0 }).text).not.toContain('removed')
    expect(undone({ moved: true }).subject).toBe('Your email address is back')
    expect(undone({ moved: false }).subject).toBe('Your email address stays as it is')
  })

  test('does not tell the address that it has left where it is now, nor a stranger where it moves', () => {
    expect(email('EMAIL_CHANGE_REVERTED', { email: 'old@example.test' }).text).toContain('o…@example.test')
    expect(email('EMAIL_CHANGE_REVERTED', { email: 'old@example.test' }).text).not.toContain('old@')
    expect(email('EMAIL_CHANGE_ASKED', { newEmail: null }).text).toContain('to another email address.')
    expect(email('EMAIL_CHANGE_ASKED', { newEmail: 'new@example.test' }).text).toContain('new@example.test')
  })

  test('is told how many recovery codes are left, and where wrong codes came from', () => {
    expectWords([
      [email('RECOVERY_CODE_USED', { left: 0 }), 'It was the last one.'],
      [email('RECOVERY_CODE_USED', { left: 1 }), 'One is left.'],
      [email('RECOVERY_CODE_USED', { left: 2 }), '2 are left.'],
      [email('SECOND_FACTOR_GUESSED', { signingIn: true }), 'Somebody knew your password'],
      [email('SECOND_FACTOR_GUESSED', { signingIn: false }), 'Somebody who is signed in as you'],
      [email('SECOND_FACTOR_REMOVED', { factor: 'TOTP', name: null }), 'Your authenticator app was removed'],
      [email('SECOND_FACTOR_REMOVED', { factor: 'PASSKEY', name: 'Phone' }), 'Your passkey “Phone” was removed'],
    ])
  })

  test('that is suspended or restored is told what that means for its role', () => {
    expectWords([
      [email('ACCOUNT_SUSPENDED', { role: 'TESTER' }), 'you lose your seats in running campaigns'],
      [email('ACCOUNT_SUSPENDED', { role: 'DEVELOPER' }), 'your live campaigns are paused'],
      [email('ACCOUNT_RESTORED', { role: 'TESTER' }), 'Seats and places in line that you lost do not come back'],
      [email('ACCOUNT_RESTORED', { role: 'DEVELOPER' }), 'Campaigns that were paused stay paused'],
    ])
  })

  test('of an admin that is gone: the others are told by whose hand, and what to look at', () => {
    expectWords([
      [email('ADMIN_DELETED', { by: 'OWNER' }), 'has deleted their admin account.'],
      [email('ADMIN_DELETED', { by: 'OWNER' }), 'somebody else may have used the account'],
      [email('ADMIN_DELETED', { by: 'SERVER' }), 'was deleted on the server.'],
      [email('ADMIN_DELETED', { by: 'SERVER' }), 'find out at once who has access to the server'],
    ])
  })
})

describe('the books', () => {
  test('that do not add up: admins are told how many rows are wrong, and by how much if an amount is', () => {
    expectWords([
      [email('BREACH_FOUND', { rows: 1 }), 'found one wrong row, by $123.00 in total.'],
      [email('BREACH_FOUND', { rows: 2 }), 'found 2 wrong rows, by $123.00 in total.'],
      [email('BREACH_FOUND', { offCents: 0 }), 'found 2 wrong rows. No one is paid'],
    ])
  })

  test('limit that needs two admins: the others are told what is proposed, and what holds until then', () => {
    expectWords([
      [email('LIMIT_TO_CONFIRM', { toCents: null }), 'wants to stop requiring two admins for payouts.'],
      [email('LIMIT_TO_CONFIRM', { toCents: 90_000 }), 'require two admins only for payouts above $900.00.'],
      [email('LIMIT_TO_CONFIRM', { toCents: 90_000 }), 'Payouts above $500.00 need two admins until another admin'],
    ])
    expect(email('LIMIT_TO_CONFIRM', { toCents: null }).subject).toContain('stop requiring')
    expect(email('LIMIT_TO_CONFIRM', { toCents: 90_000 }).subject).toContain('above $900.00')
  })

  test('delay a large withdrawal, and only its tester is told so', () => {
    const checks = 'Two members of our team first check larger withdrawals'
    expect(email('WITHDRAWAL_REQUESTED', { checked: true }).text).toContain(checks)
    expect(email('WITHDRAWAL_REQUESTED').text).not.toContain(checks)
  })
})

describe('the way from an email into the product', () => {
  const kinds = Object.keys(emailExamples) as EmailKind[]
  const leadingTo = (...about: (string | null)[]) =>
    kinds.filter(kind => about.includes(email(kind).about?.kind ?? null)).toSorted()

  test('leads to the account, the money or the decision that it is about', () => {
    const expected = {
      ACCOUNT: [
        'EMAIL_CHANGED',
        'EMAIL_CHANGE_ASKED',
        'EMAIL_CHANGE_UNDONE',
        'NEW_DEVICE',
        'PASSWORD_CHANGED',
        'PAYMENT_METHOD_CHANGED',
        'PAYOUT_ACCOUNT_OPENED',
        'PAYOUT_ACCOUNT_REMOVED',
        'SIGNED_OUT',
        'SIGNED_OUT_ELSEWHERE',
        'SIGNED_OUT_EVERYWHERE',
      ],
      ADMIN: ['ADMIN_CREATED', 'ADMIN_DELETED'],
      APPEAL: ['APPEAL_WAITS', 'GOODWILL_HELD_ADMIN'],
      BUG: ['BUG_CHANGED', 'BUG_COMMENTED', 'BUG_REPORTED', 'BUG_RETESTED', 'RETEST_ASKED'],
      OPERATIONS: ['BREACH_FOUND'],
      PAYOUT: ['PAYOUT_TO_CONFIRM', 'PAYOUT_TO_RELEASE'],
      PROOFS: ['CONSENT_ASKED', 'CONSENT_REFUSED', 'PROOF_TO_REVIEW'],
      REFUND: ['REFUND_PAID_OUTSIDE'],
      SETTINGS: ['LIMIT_TO_CONFIRM'],
      STUCK_REFUND: ['REFUND_PAID_TWICE', 'REFUND_TO_CONFIRM'],
      TESTER_LIST: ['TESTERS_WAIT_FOR_LIST', 'TESTER_DELETED_OWNER', 'TESTER_NOT_LET_IN_OWNER'],
      WITHDRAWAL: ['WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_REQUESTED'],
    }
    for (const [about, led] of Object.entries(expected)) expect([about, leadingTo(about)]).toEqual([about, led])
  })

  test('leads a tester to the test, and a developer to the campaign or to one of its testers', () => {
    const named = (fact: 'testId' | 'campaignId') => (kind: EmailKind) => fact in emailExamples[kind]
    const ofDeveloper = leadingTo('CAMPAIGN', 'TESTERS')
    expect(leadingTo('TEST').filter(named('campaignId'))).toEqual([])
    expect(ofDeveloper.filter(kind => !named('campaignId')(kind))).toEqual([])
    expect(leadingTo('TESTERS')).toEqual(
      kinds
        .filter(kind => named('campaignId')(kind) && named('testId')(kind))
        .filter(kind => !leadingTo('PROOFS', 'TESTER_LIST').includes(kind))
        .toSorted(),
    )
    expect(leadingTo('TEST')).toEqual(
      kinds
        .filter(kind => named('testId')(kind) && !named('campaignId')(kind) && !leadingTo('APPEAL').includes(kind))
        .toSorted(),
    )
  })

  test('is the link itself where there is one', () => {
    for (const kind of kinds.filter(each => 'link' in emailExamples[each] && each !== 'LINK_REJECTED'))
      expect([kind, email(kind).button?.address]).toEqual([kind, emailExamples.CONFIRM_EMAIL.link])
  })
})

test('a comment on a bug says how many files came with it, and a change of a bug who made it', () => {
  expectWords([
    [email('BUG_COMMENTED', { files: 1 }), ' and attached a file.'],
    [email('BUG_COMMENTED', { files: 2 }), ' and attached 2 files.'],
    [email('BUG_CHANGED', { byAdmin: true }), 'An admin changed bug #12'],
    [email('BUG_RETESTED', { works: true }), 'it works now.'],
    [email('BUG_RETESTED', { works: false }), 'It is open again.'],
    [email('FEEDBACK_RETESTED', { works: true }), 'it works now.'],
    [email('FEEDBACK_RETESTED', { works: false }), 'it is still broken.'],
    [email('FEEDBACK_RETEST_ASKED', { quotes: ['Slow.'] }), 'addresses your feedback:'],
    [email('FEEDBACK_RETEST_ASKED'), 'addresses 2 of your answers:'],
  ])
  expect(email('BUG_COMMENTED', { files: 0 }).text).not.toContain('attached')
  expect(email('BUG_CHANGED').text).toMatch(/^Bug #12/)
  for (const kind of ['BUG_RETESTED', 'FEEDBACK_RETESTED'] as const) {
    expect(email(kind, { note: '' }).text).toMatch(/\.$/)
    expect(email(kind, { note: 'On a tablet.' }).text).toMatch(/\.\n\nOn a tablet\.$/)
    expect(email(kind, { works: true }).subject).toMatch(/^Works now/)
    expect(email(kind, { works: false }).subject).toMatch(/^Still broken/)
  }
})

test('a test that changes says what has changed', () => {
  const changed = (oldTitle: string | null, described: boolean) =>
    email('TEXTS_CHANGED', { title: 'Memos', oldTitle, described })
  expect(changed('Notes', false)).toMatchObject({
    subject: 'New title: Memos',
    text: '“Notes” is now called “Memos”.',
  })
  expect(changed(null, true)).toMatchObject({
    subject: 'What to test has changed: Memos',
    text: 'The developer changed what to test in “Memos”. Open your test to read it.',
  })
  expectWords([
    [email('LINK_CHANGED', { groupChanged: true }), 'The Google Group that you need'],
    [email('LINK_CHANGED', { groupChanged: false }), 'The app link of'],
    [email('NDA_ASKED', { asked: 'FIRST' }), 'asks its testers to accept an NDA'],
    [email('NDA_ASKED', { asked: 'CHANGED' }), 'read the new version and accept it. Your days'],
    [email('NDA_ASKED', { asked: 'BEFORE_ITS_DAYS' }), 'accept it within 72 hours of joining to keep your seat'],
  ])
  expect(email('LINK_CHANGED', { groupChanged: true }).subject).toMatch(/^New links/)
  expect(email('LINK_CHANGED', { groupChanged: false }).subject).toMatch(/^New app link/)
  expect(email('NDA_ASKED', { asked: 'FIRST' }).subject).toMatch(/^Accept an NDA/)
  expect(email('NDA_ASKED', { asked: 'CHANGED' }).subject).toMatch(/^The NDA has changed/)
})
