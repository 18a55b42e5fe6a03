/** What becomes true of a campaign while a statement that takes several seats is under way counts for it. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { device, joinedBy, liveCampaign, type Person, playEmailOf } from '../../testing/app.ts'
import { brokenChecks, connectBeside } from '../../testing/observed.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import { closeGate, makeGate } from '../../testing/passingGate.ts'
import { until } from '../../testing/until.ts'

const t = testApp({}, { own: true })
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const testers = allSignedUp(t, 'TESTER', 6)
const others = allSignedUp(t, 'TESTER', 2)

let beside: pg.Client
let keeper: pg.Client
beforeAll(async () => {
  beside = await connectBeside(t)
  keeper = await connectBeside(t)
  await makeGate(beside)
  // The gate stands where the testers are locked, and the campaigns are not.
  const { rows } = await beside.query<{ definition: string }>(
    `select pg_get_functiondef('hold_tester'::regproc) as definition`,
  )
  await beside.query(rows[0]!.definition.replace(/\bbegin\b/, 'begin perform passing_gate();'))
})
afterAll(async () => {
  expect(await brokenChecks()).toEqual([])
  await Promise.all([beside.end(), keeper.end()])
})

const join = (person: Person, campaignId: string, playEmail: string) =>
  person.call('POST', `/testers/campaigns/${campaignId}/join`, { deviceInfo: device, playEmail, consent: true })

/** How many connections wait at the gate. */
const atGate = async () =>
  (
    await beside.query(`select from pg_stat_activity where datname = current_database() and application_name = 'fieldtest'
      and wait_event = 'PgSleep'`)
  ).rowCount

/** A seat like one that another server has just given. */
const seatFor = async (person: Person, campaignId: string, like: string) => {
  await beside.query('begin')
  await beside.query(
    `update campaigns set seats_taken = seats_taken + 1, open_testers = open_testers + 1, joins_ever = joins_ever + 1 where id = $1`,
    [campaignId],
  )
  const { rows } = await beside.query<{ id: string }>(
    `insert into participations (id, campaign_id, tester_id, ordinal, status, device_model, time_zone, joined_at, last_seen_at,
        payout_amount_cents, wake_at)
      select gen_random_uuid(), $1, $2, 1, 'ACTIVE', 'Any', 'UTC', p.joined_at, p.last_seen_at, c.pay_per_tester_cents, p.wake_at
      from participations p, campaigns c where p.id = $3 and c.id = $1 returning id`,
    [campaignId, person.user.id, like],
  )
  await beside.query(
    `insert into play_addresses (participation_id, tester_id, sealed, address_hash, same_address, consent_version, consented_at)
      select $1, tester_id, sealed, address_hash, same_address, consent_version, consented_at from play_addresses
      where participation_id = $2`,
    [rows[0]!.id, like],
  )
  await beside.query('commit')
}

test('the last seat, a pause and a Google account that somebody else has just joined with', async () => {
  const closed = { accessMode: 'EMAIL_LIST' }
  const [full, paused, taken, ...rest] = await Promise.all([
    liveCampaign(developer, admin, { ...closed, testersRequired: 1 }),
    ...Array.from({ length: 5 }, () => liveCampaign(developer, admin, closed)),
  ])
  const before = await liveCampaign(developer, admin, closed)
  const [like, shared] = [await joinedBy(others[0]!, before.id), await joinedBy(others[1]!, before.id)]
  await closeGate(keeper)
  // Two are made singly, the other four by one statement.
  const answers = [rest[1]!, rest[2]!, full!, paused!, taken!, rest[0]!].map((campaign, at) =>
    join(testers[at]!, campaign.id, campaign === taken ? playEmailOf(others[1]!) : playEmailOf(testers[at]!)),
  )
  await until(async () => (await atGate()) === 3)
  await seatFor(others[0]!, full!.id, like.id)
  expect((await developer.call('POST', `/campaigns/${paused!.id}/pause`)).status).toBe(200)
  await seatFor(others[1]!, taken!.id, shared.id)
  await keeper.query('rollback')
  expect((await Promise.all(answers)).map(({ status, body }) => (status === 201 ? status : body.code))).toEqual([
    201,
    201,
    'CAMPAIGN_FULL',
    // As for everybody who is not in it.
    'NOT_FOUND',
    'PLAY_ACCOUNT_TAKEN',
    201,
  ])
})
