/** Whatever two people do to one test, or to its campaign, in the same moment: neither waits for the other in a circle. */
import { beforeAll, describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { sql, transact } from '../../kit/server/db.ts'
import { cancel } from '../../campaigns/server/campaigns.ts'
import { liveCampaign, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { brokenChecks, connectBeside, inParallel } from '../../testing/observed.ts'
import { holdsWhileWaiting } from '../../testing/races.ts'
import type { ParticipationStatus } from '../contract.ts'
import { appeal, decide } from './appeals.ts'
import { acceptNda, refuseNda } from './nda.ts'
import { checkIn, leave, submitProof } from './ownTest.ts'
import { reject, requestChanges, verify } from './review.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const seats = 100
const atOnce = 4
const rejection = { code: 'OTHER', reason: 'The proof shows another app than the one that was to be tested.' } as const
const proof = { text: 'I tested every screen of it on each day.', links: [], attachmentIds: [] }

const signedIn = ({ user }: Person): SignedIn => ({ id: user.id, role: user.role, sessionId: user.id })
const reviewer = () => signedIn(developer)
type Test = { id: string; tester: SignedIn }

beforeAll(async () => {
  await t.look(
    `insert into users (id, email, name, role, password_hash, created_at)
      select gen_random_uuid(), 'racer' || n || '@example.test', 'Racer ' || n, 'TESTER', 'none', now()
      from generate_series(1, $1::int) n`,
    [seats],
  )
})

/** A full campaign whose tests all are in this status, with a proof that is due. */
const fullCampaign = async (status: ParticipationStatus): Promise<{ id: string; tests: Test[] }> => {
  const terms = { testersRequired: seats, payPerTesterCents: 100, durationDays: 1, dailyCheckIn: false }
  const { id } = await liveCampaign(developer, admin, terms)
  const proven = status === 'ACTIVE' ? null : clock.now()
  const rows = await t.look<{ id: string; tester_id: string }>(
    `insert into participations (id, campaign_id, tester_id, ordinal, status, device_model, time_zone, joined_at,
        proof_allowed_at, last_seen_at, proof_text, proof_submitted_at, reviewed_at, payout_amount_cents, wake_at)
      select gen_random_uuid(), $1, id, row_number() over (), $2, 'Pixel 8', 'UTC', now() - interval '2 days',
        now() - interval '1 day', now(), case when $3::timestamptz is not null then 'Done.' end, $3::timestamptz,
        case when $2 = 'CHANGES_REQUESTED' then $3::timestamptz end, 100, now() + interval '2 days'
      from users where email like 'racer%' returning id, tester_id`,
    [id, status, proven],
  )
  await t.look('update campaigns set seats_taken = $2, open_testers = $2, joins_ever = $2 where id = $1', [id, seats])
  return {
    id,
    tests: rows.map(row => ({ id: row.id, tester: { id: row.tester_id, role: 'TESTER', sessionId: row.tester_id } })),
  }
}

/** Runs these, some at once; all of them end well or are refused by a rule. */
const raced = async (races: readonly (() => Promise<unknown>[])[]): Promise<void> => {
  const left = [...races]
  await inParallel(atOnce, async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const outcomes = await Promise.allSettled(next())
      expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DomainError)
    }
  })
}

/** How many deadlocks (40P01) PostgreSQL has ended in this database; `transact` hides them by trying again. */
const deadlocks = async (): Promise<number> => {
  // Each of the pool's connections tells what it has counted.
  await inParallel(10, () => t.look('select pg_stat_force_next_flush()'))
  const beside = await connectBeside(t)
  try {
    const { rows } = await beside.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    return Number(rows[0]!.deadlocks)
  } finally {
    await beside.end()
  }
}

test('a deadlock on purpose is counted', async () => {
  const before = await deadlocks()
  const people = [developer.user.id, admin.user.id]
  const bothHold = Promise.withResolvers<void>()
  let holding = 0
  const lockBoth = (first: string, second: string) =>
    transact(async tx => {
      await tx.run(sql`select from users where id = ${first} for update`)
      if (++holding === 2) bothHold.resolve()
      await bothHold.promise
      await tx.run(sql`select from users where id = ${second} for update`)
    })
  await Promise.all([lockBoth(people[0]!, people[1]!), lockBoth(people[1]!, people[0]!)])
  expect(await deadlocks()).toBe(before + 1)
})

describe('no deadlock', () => {
  const pairs: [string, number, ParticipationStatus, (test: Test) => Promise<unknown>[]][] = [
    [
      'a request for changes and a verification',
      8,
      'SUBMITTED',
      ({ id }) => [requestChanges(reviewer(), id, { note: 'More.' }), verify(signedIn(admin), id, {}, null)],
    ],
    [
      'a request for changes and a rejection',
      6,
      'SUBMITTED',
      ({ id }) => [requestChanges(reviewer(), id, { note: 'More.' }), reject(signedIn(admin), id, rejection, null)],
    ],
    [
      'a proof and a tester who leaves',
      6,
      'CHANGES_REQUESTED',
      ({ id, tester }) => [submitProof(tester, id, { proof }), leave(tester, id)],
    ],
  ]
  // 20 campaigns of 100 tests: 2,000 pairs.
  test.each(pairs)(
    'between %s, in %i campaigns of 100 tests',
    async (_pair, campaigns, status, pair) => {
      const before = await deadlocks()
      for (let round = 0; round < campaigns; round++) {
        const { tests } = await fullCampaign(status)
        await raced(tests.map((each, index) => () => (index % 2 ? pair(each) : pair(each).toReversed())))
      }
      expect(await deadlocks()).toBe(before)
    },
    240_000,
  )

  test('between the cancellation of a campaign and what its testers do meanwhile', async () => {
    const before = await deadlocks()
    for (let round = 0; round < 3; round++) {
      const { id, tests } = await fullCampaign('ACTIVE')
      const acts = tests.map((each, index) => () => [
        index % 2 ? submitProof(each.tester, each.id, { proof }) : checkIn(each.tester, each.id, {}),
        ...(index === 10 ? [cancel(reviewer(), id, null)] : []),
        Promise.resolve(),
      ])
      await raced(acts.toReversed())
    }
    expect(await deadlocks()).toBe(before)
  }, 120_000)
})

describe('the campaign is held before the test', () => {
  const rejected = ({ id }: Test) => reject(reviewer(), id, rejection, null)
  const appealed = async (one: Test) => {
    await rejected(one)
    await appeal(one.tester, one.id, { reason: 'It is the right app, as every picture shows.', attachmentIds: [] })
  }
  const changedNda = async ({ id }: Test) => {
    await t.look(
      `with campaign as (select campaign_id as id from participations where id = $1), text as (
        insert into nda_texts (campaign_id, version, text, set_at) select id, 1, 'Tell nobody.', now() from campaign)
      update campaigns set nda_version = 1 where id = (select id from campaign)`,
      [id],
    )
  }
  const campaignOf = async (id: string) =>
    (await t.look<{ id: string }>('select campaign_id as id from participations where id = $1', [id]))[0]!.id

  type Act = (one: Test) => Promise<unknown>
  const acts: [string, ParticipationStatus, Act, Act?][] = [
    ['a check-in', 'ACTIVE', ({ id, tester }) => checkIn(tester, id, {})],
    ['a proof', 'ACTIVE', ({ id, tester }) => submitProof(tester, id, { proof })],
    ['leaving', 'ACTIVE', ({ id, tester }) => leave(tester, id)],
    [
      'accepting an NDA',
      'ACTIVE',
      async ({ id, tester }) =>
        acceptNda(tester, await campaignOf(id), { name: 'Ada Lovelace', version: 1 }, { ip: '::1' }),
      changedNda,
    ],
    ['refusing a changed NDA', 'ACTIVE', ({ id, tester }) => refuseNda(tester, id), changedNda],
    ['a verification', 'SUBMITTED', ({ id }) => verify(reviewer(), id, {}, null)],
    ['a request for changes', 'SUBMITTED', ({ id }) => requestChanges(reviewer(), id, { note: 'More.' })],
    ['a rejection', 'SUBMITTED', ({ id }) => reject(reviewer(), id, rejection, null)],
    [
      'an appeal',
      'SUBMITTED',
      ({ id, tester }) => appeal(tester, id, { reason: 'It is the right app.', attachmentIds: [] }),
      rejected,
    ],
    ...(['VERIFY', 'UPHOLD'] as const).map((decision): (typeof acts)[number] => [
      `the decision to ${decision}`,
      'SUBMITTED',
      ({ id }) => decide(signedIn(admin), id, { decision, note: 'Looked at.' }),
      appealed,
    ]),
  ]

  test.each(acts)('by %s', async (_act, status, act, before) => {
    const { id, tests } = await fullCampaign(status)
    const [one] = tests
    await before?.(one!)
    const rowOf = (table: string, of: string) => ({ rows: `select from ${table} where id = $1`, values: [of] })
    const order = { waits: rowOf('participations', one!.id), holds: rowOf('campaigns', id) }
    expect(await holdsWhileWaiting(t, () => act(one!), order)).toBe(true)
  })
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
