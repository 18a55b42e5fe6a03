/** Everything that somebody, the clock or a job may do with money: the product's own use cases, and what the books say of each. */
import { deleteMe } from '../../accounts/server/privacy.ts'
import { updateMe } from '../../accounts/server/profile.ts'
import * as campaigns from '../../campaigns/server/campaigns.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { transact } from '../../kit/server/db.ts'
import { payoutReturned, withdraw } from '../../ledger/server/payouts.ts'
import { settleOverdue } from '../../ledger/server/ledger.ts'
import * as appeals from '../../participations/server/appeals.ts'
import { join } from '../../participations/server/joining.ts'
import * as own from '../../participations/server/ownTest.ts'
import { lookAtAppeals, wakeParticipations } from '../../participations/server/participations.ts'
import * as review from '../../participations/server/review.ts'
import * as people from '../../people/server/people.ts'
import { changeSettings } from '../../settings/server/settings.ts'
import {
  type Books,
  type Campaign,
  type Charge,
  type Code,
  dayOf,
  feeOf,
  isDeclining,
  type Person,
  type Test,
} from './books.ts'
import type { SimulatedProvider } from './provider.ts'

/** Reads the database as it is, beside the gate. */
export type Look = <Row>(text: string, values?: unknown[]) => Promise<Row[]>

export type Attempt = {
  name: string
  /** Who does what to whom, by their numbers: the same in every run of a history. */
  label: string
  run: () => Promise<unknown>
  /** In which of its turns it is decided, by the turn's statements. */
  decides: RegExp
  /** What the books say in the state of that turn: why it is refused, or null and what follows from it. */
  decide: (statements: string) => Promise<Code | null> | Code | null
  /** Sent with a key: it may be called again. */
  keyed?: boolean
  by?: Person
  /** Speaks with the provider. */
  asksProvider?: boolean
  /** Where the answer tells more than the decision: whether it may be this one. */
  isOutcome?: (outcome: Code | null) => boolean
  /** A job that may fail, to be tried again. */
  mayFail?: boolean
  /** Its refusals depend on more than one turn. */
  looksAgain?: boolean
  /** In pg-boss's table: there until it has run to its end. */
  jobId?: string
  /** What its caller knows once it is acknowledged. */
  about?: { key?: string; cents?: number; verifies?: boolean }
}

/** A job that waits, by the numbers of what it is about. */
export type WaitingJob = { id: string; label: string; run: () => Promise<void> }

export type Scene = {
  books: Books
  look: Look
  provider: SimulatedProvider
  /** A new account in place of one that has gone. */
  replace: (gone: Person) => Promise<void>
  /** Brings the books to what the clock has done, or a provider, after a turn of a job. */
  followDeadlines: () => Promise<void>
  followPayments: () => Promise<void>
  /** Keys of what was done, and when. */
  keys: Map<string, number>
  /** How requests with these keys were answered. */
  answers: Map<string, Code | null>
  /** What was called, to be called again. */
  earlier: Attempt[]
  /** The jobs of payouts and refunds that wait, in an order that does not depend on ids. */
  jobs: () => Promise<readonly WaitingJob[]>
}

export const password = 'p'

const begins = /^begin/
const callerOf = ({ id, role }: Person): SignedIn => ({ id, role, sessionId: id })
const reason = 'The proof shows another app than the one that was to be tested.'
const pays = [101, 1333, 999, 1500, 5000, 2000]

/** Numbers that decide between things: the same numbers, the same things. */
export type Draw = (below: number) => number

/** Mostly one with which it can succeed; undefined where there is none. */
const pick = <T>(draw: Draw, all: readonly T[], likely: (one: T) => boolean): T | undefined => {
  const among = draw(12) === 0 ? all : all.filter(likely)
  return among[draw(among.length)]
}

const present = (books: Books, role: Person['role']) =>
  books.people.filter(person => person.role === role && !person.deleted)

/** Ended long ago; a few of them are tried again all the same. */
const recent = <T>(all: readonly T[], most = 60) => all.slice(-most)

type Made = Omit<Attempt, 'name' | 'decides'> & { decides?: RegExp }
type Make = (scene: Scene, draw: Draw, key: string) => Made | undefined | Promise<Made | undefined>

/** An action on a campaign, and what the books say of it. */
const onCampaign =
  (
    likely: (c: Campaign, books: Books) => boolean,
    does: (c: Campaign, scene: Scene, draw: Draw, key: string) => Made | undefined,
  ): Make =>
  (scene, draw, key) => {
    const all = recent(scene.books.campaigns.filter(({ developer }) => !developer.deleted))
    const c = pick(draw, all, one => likely(one, scene.books))
    return c && does(c, scene, draw, key)
  }

const onTest =
  (
    likely: (test: Test, books: Books) => boolean,
    does: (test: Test, scene: Scene, draw: Draw, key: string) => Made,
  ): Make =>
  (scene, draw, key) => {
    const test = pick(draw, recent(scene.books.tests, 150), one => likely(one, scene.books))
    return test && does(test, scene, draw, key)
  }

const keptMs = 48 * 3_600_000

/** The same key, the same answer, and nothing more. */
const once = (
  scene: Scene,
  key: string,
  by: Person,
  decide: () => Promise<Code | null> | Code | null,
): Pick<Attempt, 'keyed' | 'by' | 'decide'> => ({
  keyed: true,
  by,
  decide: async () => {
    // Keys go with the account, or after two days.
    const done = scene.keys.get(key)
    if (done !== undefined && !by.deleted && done > scene.books.now - keptMs) return null
    scene.answers.delete(key)
    const refusal = await decide()
    // A refusal by our own rules stores no key.
    if (refusal === null) scene.keys.set(key, scene.books.now)
    return refusal
  },
})

const named = (c: Campaign) => `campaign ${c.n}`
const called = (person: Person) => `${person.role.toLowerCase()} ${person.n}`
const testOf = (test: Test) => `test ${test.n} of ${named(test.campaign)}`

const is =
  (...statuses: Campaign['status'][]) =>
  ({ status }: Campaign) =>
    statuses.includes(status)
const has =
  (...statuses: Test['status'][]) =>
  ({ status }: Test) =>
    statuses.includes(status)
const wrongUnless = (may: boolean, then: () => void): Code | null => {
  if (!may) return 'WRONG_STATE'
  then()
  return null
}

const create: Make = (scene, draw, key) => {
  const { books, look } = scene
  const developer = pick(draw, present(books, 'DEVELOPER'), ({ suspended }) => !suspended)
  if (!developer) return undefined
  const testers = 1 + draw(4)
  const pay = pays[draw(pays.length)]!
  const days = 1 + draw(3)
  const daily = draw(2) === 0
  const title = `Campaign ${key}`
  const draft = {
    title,
    description: 'As the model has it.',
    platform: 'android' as const,
    distributionLink: 'https://play.google.com/apps/testing/com.example.model',
    testersRequired: testers,
    payPerTesterCents: pay,
    durationDays: days,
    filters: { countries: [], minAndroidVersion: null, minIOSVersion: null },
    dailyCheckIn: daily,
    accessMode: 'OPEN_LINK' as const,
    groupLink: null,
    features: [],
  }
  return {
    label: `${called(developer)} drafts ${testers} × ${pay} for ${days} days`,
    run: () => campaigns.create(callerOf(developer), draft, key),
    ...once(scene, key, developer, async () => {
      if (developer.deleted) return 'ANY'
      if (developer.suspended) return 'SUSPENDED'
      const [row] = await look<{ id: string }>('select id from campaigns where title = $1 and id <> all ($2)', [
        title,
        books.campaigns.map(({ id }) => id),
      ])
      if (!row) throw new Error('the campaign was not created')
      books.campaigns.push({
        n: books.campaigns.length,
        id: row.id,
        developer,
        status: 'DRAFT',
        testers,
        pay,
        days,
        daily,
        feeRate: books.feeRate,
        fee: feeOf(testers * pay, books.feeRate),
        escrow: 0,
        held: 0,
        verified: 0,
        closed: 0,
        payments: [],
        tests: [],
      })
      return null
    }),
  }
}

const isOutcomeOf = ({ status }: Charge, outcome: Code | null): boolean => {
  // It may have been answered before it was settled.
  if (outcome === null || status === 'PENDING') return outcome === null
  return outcome === (status === 'FAILED' ? 'PAYMENT_DECLINED' : status === 'COMPLETED' ? null : 'WRONG_STATE')
}

const fund = onCampaign(
  (c, books) => c.status === 'DRAFT' && books.outstanding(c) > 0,
  (c, scene, draw, key) => {
    const { books, look } = scene
    const cents = Math.max(1, books.outstanding(c) + (draw(15) === 0 ? draw(3) - 1 : 0))
    let charge: Charge | undefined
    return {
      label: `${called(c.developer)} pays ${cents} for ${named(c)}`,
      about: { key, cents },
      run: () => campaigns.fund(callerOf(c.developer), { campaignId: c.id, amountCents: cents }, { key }),
      asksProvider: true,
      ...once(scene, key, c.developer, async () => {
        const refusal = books.whyNotFund(c, cents)
        if (refusal !== null) return refusal
        const known = books.charges.filter(one => one.campaign === c).map(({ id }) => id)
        const [row] = await look<{ id: string }>('select id from charges where campaign_id = $1 and id <> all ($2)', [
          c.id,
          known,
        ])
        if (!row) throw new Error('no charge was begun')
        books.chargeBegun(row.id, c)
        charge = books.charges.at(-1)
        return null
      }),
      decides: /begin_charge|insert into idempotency_keys/,
      isOutcome: outcome => charge !== undefined && isOutcomeOf(charge, outcome),
    }
  },
)

const payoutReturns: Make = ({ books, provider }, draw) => {
  const paid = books.withdrawals.filter(({ status }) => status === 'COMPLETED')
  const withdrawal = pick(draw, books.withdrawals, one => paid.includes(one))
  if (!withdrawal) return undefined
  return {
    label: `withdrawal ${withdrawal.n} comes back`,
    run: async () => {
      await provider.giveBack(withdrawal.id)
      const effect = await payoutReturned(withdrawal.id)
      await transact(effect)
    },
    mayFail: true,
    decide: () => {
      if (withdrawal.status === 'COMPLETED') books.returned(withdrawal)
      return null
    },
  }
}

const update = onCampaign(is('DRAFT', 'REJECTED'), (c, { books }, draw, key) => {
  const testers = 1 + draw(4)
  const pay = pays[draw(pays.length)]!
  return {
    label: `${called(c.developer)} changes ${named(c)} to ${testers} × ${pay}`,
    run: () =>
      campaigns.update(callerOf(c.developer), c.id, {
        testersRequired: testers,
        payPerTesterCents: pay,
        title: `Edit ${key}`,
      }),
    decide: () => {
      if (is('LIVE', 'PAUSED')(c)) return 'ANY'
      return wrongUnless(is('DRAFT', 'REJECTED')(c), () => books.changed(c, testers, pay))
    },
  }
})

const submitCampaign = onCampaign(
  (c, books) => c.status === 'DRAFT' && books.outstanding(c) <= 0,
  (c, { books }) => ({
    label: `${called(c.developer)} submits ${named(c)}`,
    run: () => campaigns.submit(callerOf(c.developer), c.id),
    decide: () => wrongUnless(c.status === 'DRAFT' && books.outstanding(c) <= 0, () => (c.status = 'PENDING_APPROVAL')),
  }),
)

const adminOf = ({ books }: Scene) => present(books, 'ADMIN')[0]!

const approve = onCampaign(is('PENDING_APPROVAL'), (c, scene) => ({
  label: `the admin approves ${named(c)}`,
  run: () => campaigns.approve(callerOf(adminOf(scene)), c.id),
  decide: () => wrongUnless(c.status === 'PENDING_APPROVAL', () => (c.status = 'APPROVED')),
}))

const rejectCampaign = onCampaign(is('PENDING_APPROVAL'), (c, scene) => ({
  label: `the admin rejects ${named(c)}`,
  run: () => campaigns.reject(callerOf(adminOf(scene)), c.id, reason),
  decide: () => wrongUnless(c.status === 'PENDING_APPROVAL', () => (c.status = 'REJECTED')),
}))

const start = onCampaign(is('APPROVED', 'PAUSED'), c => ({
  label: `${called(c.developer)} starts ${named(c)}`,
  run: () => campaigns.start(callerOf(c.developer), c.id),
  decide: () =>
    c.developer.deleted
      ? 'ANY'
      : c.developer.suspended
        ? 'SUSPENDED'
        : wrongUnless(is('APPROVED', 'PAUSED')(c), () => (c.status = 'LIVE')),
}))

const pause = onCampaign(is('LIVE'), c => ({
  label: `${called(c.developer)} pauses ${named(c)}`,
  run: () => campaigns.pause(callerOf(c.developer), c.id),
  decide: () => wrongUnless(c.status === 'LIVE', () => (c.status = 'PAUSED')),
}))

const hasEnded = is('COMPLETED', 'CANCELLED')

const cancel = onCampaign(
  c => !hasEnded(c),
  (c, scene, draw, key) => {
    const by = draw(4) === 0 ? adminOf(scene) : c.developer
    return {
      label: `${called(by)} cancels ${named(c)}`,
      run: () => campaigns.cancel(callerOf(by), c.id, key),
      ...once(scene, key, by, () => wrongUnless(!hasEnded(c), () => scene.books.cancelled(c))),
    }
  },
)

const closeSeat = onCampaign(
  (c, books) => is('LIVE', 'PAUSED')(c) && books.freeSeats(c) > 0,
  (c, scene, _, key) => ({
    label: `${called(c.developer)} closes a seat of ${named(c)}`,
    run: () => campaigns.closeSeat(callerOf(c.developer), c.id, key),
    ...once(scene, key, c.developer, () =>
      wrongUnless(is('LIVE', 'PAUSED')(c) && scene.books.freeSeats(c) > 0, () => scene.books.seatClosed(c)),
    ),
  }),
)

const joinCampaign = onCampaign(
  (c, books) => c.status === 'LIVE' && books.freeSeats(c) > 0,
  (c, { books, look }, draw) => {
    const tester = pick(draw, present(books, 'TESTER'), one => !one.suspended && books.whyNotJoin(c, one) === null)
    if (!tester) return undefined
    const device = { platform: 'android' as const, model: 'Pixel 8' }
    return {
      label: `${called(tester)} joins ${named(c)}`,
      run: () => join(callerOf(tester), c.id, { deviceInfo: device }),
      decides: /insert into participations/,
      looksAgain: true,
      decide: async () => {
        const refusal = books.whyNotJoin(c, tester)
        if (refusal !== null) return refusal
        const [row] = await look<{ id: string }>(
          'select id from participations where campaign_id = $1 and tester_id = $2',
          [c.id, tester.id],
        )
        if (!row) throw new Error('no seat was taken')
        const test: Test = {
          n: books.tests.length,
          id: row.id,
          campaign: c,
          tester,
          status: 'ACTIVE',
          joinedAt: books.now,
          seenAt: books.now,
          sinceAt: 0,
          checkIns: 0,
          lastDay: -1,
          changes: 0,
          appealed: false,
          open: true,
        }
        c.tests.push(test)
        books.tests.push(test)
        return null
      },
    }
  },
)

const checkIn = onTest(
  (test, books) => books.whyNotCheckIn(test) === null,
  (test, { books }) => ({
    label: `${called(test.tester)} checks in to ${testOf(test)}`,
    run: () => own.checkIn(callerOf(test.tester), test.id, {}),
    decide: () => {
      const refusal = books.whyNotCheckIn(test)
      if (refusal === null)
        Object.assign(test, { checkIns: test.checkIns + 1, lastDay: dayOf(books.now), seenAt: books.now })
      return refusal
    },
  }),
)

const submitProof = onTest(
  (test, books) => books.whyNotSubmit(test) === null,
  (test, { books }) => ({
    label: `${called(test.tester)} submits the proof of ${testOf(test)}`,
    run: () =>
      own.submitProof(callerOf(test.tester), test.id, {
        proof: { text: `I wrote it in ${test.id}.`, links: [], attachmentIds: [] },
      }),
    decide: () => {
      const refusal = books.whyNotSubmit(test)
      if (refusal === null) Object.assign(test, { status: 'SUBMITTED', sinceAt: books.now })
      return refusal
    },
  }),
)

const leave = onTest(has('ACTIVE', 'CHANGES_REQUESTED'), (test, { books }) => ({
  label: `${called(test.tester)} leaves ${testOf(test)}`,
  run: () => own.leave(callerOf(test.tester), test.id),
  decide: () => wrongUnless(has('ACTIVE', 'CHANGES_REQUESTED')(test), () => books.closedUnpaid(test, 'DROPPED')),
}))

const verify = onTest(has('SUBMITTED'), (test, scene, draw, key) => {
  const by = draw(5) === 0 ? adminOf(scene) : test.campaign.developer
  return {
    label: `${called(by)} verifies ${testOf(test)}`,
    run: () => review.verify(callerOf(by), test.id, key),
    ...once(scene, key, by, () => wrongUnless(test.status === 'SUBMITTED', () => scene.books.verified(test))),
  }
})

const requestChanges = onTest(
  (test, books) => books.whyNotRequestChanges(test) === null,
  (test, { books }) => ({
    label: `${called(test.campaign.developer)} requests changes to ${testOf(test)}`,
    run: () => review.requestChanges(callerOf(test.campaign.developer), test.id, 'More of it.'),
    decide: () => {
      const refusal = books.whyNotRequestChanges(test)
      if (refusal === null)
        Object.assign(test, { status: 'CHANGES_REQUESTED', seenAt: books.now, changes: test.changes + 1 })
      return refusal
    },
  }),
)

const rejectProof = onTest(has('SUBMITTED'), (test, scene, _, key) => ({
  label: `${called(test.campaign.developer)} rejects ${testOf(test)}`,
  run: () => review.reject(callerOf(test.campaign.developer), test.id, { code: 'OTHER', reason }, key),
  ...once(scene, key, test.campaign.developer, () =>
    wrongUnless(test.status === 'SUBMITTED', () =>
      Object.assign(test, { status: 'REJECTED', sinceAt: scene.books.now }),
    ),
  ),
}))

const appeal = onTest(
  (test, books) => books.whyNotAppeal(test) === null,
  (test, { books }) => ({
    label: `${called(test.tester)} appeals for ${testOf(test)}`,
    run: () => appeals.appeal(callerOf(test.tester), test.id, { reason, attachmentIds: [] }),
    decide: () => {
      const refusal = books.whyNotAppeal(test)
      if (refusal === null) Object.assign(test, { status: 'APPEALED', sinceAt: books.now, appealed: true })
      return refusal
    },
  }),
)

const decideAppeal = onTest(has('APPEALED'), (test, scene, draw, key) => {
  const decision = draw(2) === 0 ? ('VERIFY' as const) : ('UPHOLD' as const)
  return {
    label: `the admin decides on ${testOf(test)}: ${decision}`,
    about: { verifies: decision === 'VERIFY' },
    run: () => appeals.decide(callerOf(adminOf(scene)), test.id, { decision, note: reason }, key),
    ...once(scene, key, adminOf(scene), () =>
      wrongUnless(test.status === 'APPEALED', () => {
        if (decision === 'VERIFY') scene.books.verified(test)
        else scene.books.closedUnpaid(test, 'REJECTED')
      }),
    ),
  }
})

const withdrawal: Make = (scene, draw, key) => {
  const { books, look } = scene
  const tester = pick(draw, present(books, 'TESTER'), one => books.whyNotWithdraw(one, books.minimum) === null)
  if (!tester) return undefined
  const cents = [books.minimum, tester.balance, tester.balance + 1, books.minimum - 1, books.minimum + draw(500)][
    draw(5)
  ]!
  if (cents < 1) return undefined
  return {
    label: `${called(tester)} withdraws ${cents}`,
    run: () => withdraw(callerOf(tester), cents, key),
    ...once(scene, key, tester, async () => {
      const refusal = books.whyNotWithdraw(tester, cents)
      if (refusal !== null) return refusal
      const known = books.withdrawals.filter(one => one.tester === tester).map(({ id }) => id)
      const [row] = await look<{ id: string }>('select id from withdrawals where tester_id = $1 and id <> all ($2)', [
        tester.id,
        known,
      ])
      if (!row) throw new Error('nothing was withdrawn')
      books.withdrawn(row.id, tester, cents)
      return null
    }),
  }
}

const changeMethod: Make = ({ books }, draw, key) => {
  const all = [...present(books, 'TESTER'), ...present(books, 'DEVELOPER')]
  const person = pick(draw, all, ({ suspended }) => !suspended)
  if (!person) return undefined
  const method = `${draw(4) === 0 ? 'decline' : `k${key}`}@pay.test`
  return {
    label: `${called(person)} changes the payment method to ${isDeclining(method) ? 'one that declines' : 'another'}`,
    run: () => updateMe(callerOf(person), { paymentMethod: method, currentPassword: password }),
    decides: /update users set name/,
    decide: () => {
      if (person.deleted) return 'ANY'
      if (person.method !== method) person.changedAt = books.now
      person.method = method
      return null
    },
  }
}

const ban: Make = (scene, draw) => {
  const { books } = scene
  // Mostly somebody whose money is on its way.
  const busy = books.withdrawals.flatMap(({ tester, status }) =>
    status === 'PENDING' && !tester.deleted ? [tester] : [],
  )
  const all = [...present(books, 'TESTER'), ...present(books, 'DEVELOPER')]
  const person = pick(draw, busy.length > 0 && draw(3) > 0 ? busy : all, one => !one.suspended)
  if (!person) return undefined
  return {
    label: `the admin suspends ${called(person)}`,
    run: () => people.ban(callerOf(adminOf(scene)), person.id, reason),
    decide: () => {
      if (person.deleted) return 'NOT_FOUND'
      return wrongUnless(!person.suspended, () => {
        person.suspended = true
        for (const test of books.tests)
          if (test.tester === person && has('ACTIVE', 'CHANGES_REQUESTED')(test)) books.closedUnpaid(test, 'DROPPED')
        for (const c of books.campaigns) if (c.developer === person && c.status === 'LIVE') c.status = 'PAUSED'
      })
    },
  }
}

const restored = (scene: Scene, person: Person): Made => ({
  label: `the admin restores ${called(person)}`,
  run: () => people.unban(callerOf(adminOf(scene)), person.id, reason),
  decide: () => {
    if (person.deleted) return 'NOT_FOUND'
    return wrongUnless(person.suspended, () => (person.suspended = false))
  },
})

export const restore = (scene: Scene, person: Person): Attempt => ({
  name: 'unban',
  decides: begins,
  ...restored(scene, person),
})

const unban: Make = (scene, draw) => {
  const all = [...present(scene.books, 'TESTER'), ...present(scene.books, 'DEVELOPER')]
  const person = pick(draw, all, one => one.suspended)
  return person && restored(scene, person)
}

const deleteAccount: Make = (scene, draw) => {
  const { books, replace } = scene
  const all = [...present(books, 'TESTER'), ...present(books, 'DEVELOPER')].filter(({ suspended }) => !suspended)
  const person = pick(draw, all, one => books.whyNotDelete(one) === null)
  if (!person) return undefined
  return {
    label: `${called(person)} deletes the account`,
    run: () => deleteMe(callerOf(person), password),
    decides: /role = 'ADMIN' and deleted_at is null/,
    decide: async () => {
      if (person.deleted) return 'ANY'
      const refusal = books.whyNotDelete(person)
      if (refusal !== null) return refusal
      person.deleted = true
      await replace(person)
      return null
    },
  }
}

const settings: Make = (scene, draw) => {
  const { books } = scene
  const minimum = [500, 1000, 100][draw(3)]!
  const feeRate = [1500, 0, 1234, 10_000][draw(4)]!
  const mostOpen = [20, 3, 10][draw(3)]!
  return {
    label: `the admin sets a minimum of ${minimum}, a fee of ${feeRate} and ${mostOpen} open tests`,
    run: () =>
      changeSettings(callerOf(adminOf(scene)), {
        minimumWithdrawalCents: minimum,
        feeBasisPoints: feeRate,
        openTestsPerTester: mostOpen,
      }),
    decide: () => {
      Object.assign(books, { minimum, feeRate, mostOpen })
      return null
    },
  }
}

/** What the clock does by itself. */
export const clockJobs = {
  wake: ['the clock looks at tests', () => wakeParticipations.run({})],
  appeals: ['the clock looks at appeals', () => lookAtAppeals.run({})],
  complete: ['the clock completes campaigns', () => campaigns.completeCampaigns.run({})],
} as const

export const overdueJob = ['what is overdue is settled', () => settleOverdue.run({})] as const

const byJob =
  ([label, run]: readonly [string, () => Promise<void>], follows: 'followDeadlines' | 'followPayments'): Make =>
  scene => ({
    label,
    run,
    mayFail: true,
    decide: async () => {
      await scene[follows]()
      return null
    },
  })

/** One of the jobs that wait, as it would be taken. */
const job: Make = async (scene, draw) => {
  const waiting = await scene.jobs()
  const taken = waiting[draw(waiting.length)]
  if (!taken) return undefined
  return {
    label: taken.label,
    run: taken.run,
    jobId: taken.id,
    mayFail: true,
    asksProvider: true,
    decide: async () => {
      await scene.followPayments()
      return null
    },
  }
}

/** What was called before, with its key: by somebody who has no answer, or presses twice. */
const again: Make = ({ earlier }, draw) => {
  const made = earlier.at(-1 - draw(Math.min(earlier.length, 12)))
  return made && { ...made, label: `again: ${made.label}` }
}

const kinds: Record<string, { weight: number; make: Make }> = {
  create: { weight: 6, make: create },
  fund: { weight: 12, make: fund },
  update: { weight: 2, make: update },
  submitCampaign: { weight: 2, make: submitCampaign },
  approve: { weight: 10, make: approve },
  rejectCampaign: { weight: 1, make: rejectCampaign },
  start: { weight: 10, make: start },
  pause: { weight: 1, make: pause },
  cancel: { weight: 1, make: cancel },
  closeSeat: { weight: 2, make: closeSeat },
  join: { weight: 18, make: joinCampaign },
  checkIn: { weight: 9, make: checkIn },
  submitProof: { weight: 16, make: submitProof },
  leave: { weight: 1, make: leave },
  verify: { weight: 12, make: verify },
  requestChanges: { weight: 3, make: requestChanges },
  rejectProof: { weight: 4, make: rejectProof },
  appeal: { weight: 6, make: appeal },
  decideAppeal: { weight: 4, make: decideAppeal },
  withdraw: { weight: 12, make: withdrawal },
  changeMethod: { weight: 2, make: changeMethod },
  ban: { weight: 2, make: ban },
  unban: { weight: 3, make: unban },
  deleteAccount: { weight: 1, make: deleteAccount },
  settings: { weight: 1, make: settings },
  job: { weight: 12, make: job },
  payoutReturns: { weight: 1, make: payoutReturns },
  wake: { weight: 3, make: byJob(clockJobs.wake, 'followDeadlines') },
  appeals: { weight: 2, make: byJob(clockJobs.appeals, 'followDeadlines') },
  complete: { weight: 3, make: byJob(clockJobs.complete, 'followDeadlines') },
  overdue: { weight: 2, make: byJob(overdueJob, 'followPayments') },
  again: { weight: 5, make: again },
}

const total = Object.values(kinds).reduce((sum, { weight }) => sum + weight, 0)

/** What is tried next: something that there is somebody and something for. */
export const nextAttempt = async (scene: Scene, draw: Draw, key: string): Promise<Attempt> => {
  for (;;) {
    let at = draw(total)
    const [name, { make }] = Object.entries(kinds).find(([, { weight }]) => (at -= weight) < 0)!
    const made = await make(scene, draw, key)
    if (made) return { name, decides: begins, ...made }
  }
}
