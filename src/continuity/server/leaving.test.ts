/** Whoever is warned of a tester who may drop out is told what that would do to the date to apply. */
import { expect, test } from 'vitest'
import { clock, dayIn, daysAfter } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import type { Notification } from '../../notifications/contract.ts'
import { wakeParticipations } from '../../participations/server/participations.ts'
import { liveCampaign } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { dayWords } from '../words.ts'
import { costOfLeavingIn } from './leaving.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

/** Testers whose runs began so many days ago, in the order they joined; the first is silent and about to be warned of. */
const campaignWith = async (title: string, daysAgo: readonly number[]): Promise<void> => {
  const terms = { title, accessMode: 'EMAIL_LIST', testersRequired: daysAgo.length }
  const { id } = await liveCampaign(developer, admin, terms)
  const now = clock.now()
  const starts = daysAgo.map(days => daysAfter(now, -days))
  await t.look(
    `with people as (
      insert into users (id, email, name, role, password_hash, created_at)
        select gen_random_uuid(), $4 || n || '@example.test', 'Runner', 'TESTER', 'none', now()
        from generate_series(1, cardinality($2::timestamptz[])) n returning id
    ), numbered as (select id, row_number() over () as n from people), tests as (
      insert into participations (id, campaign_id, tester_id, ordinal, status, device_model, time_zone, joined_at, listed_at,
          opted_in_at, proof_allowed_at, last_seen_at, payout_amount_cents, wake_at)
        select gen_random_uuid(), $1, id, n, 'ACTIVE', 'Pixel 8', 'UTC', ($2::timestamptz[])[n], ($2::timestamptz[])[n],
          ($2::timestamptz[])[n], ($2::timestamptz[])[n] + interval '14 days',
          $3::timestamptz - case when n = 1 then interval '49 hours' else interval '1 hour' end, 1000,
          $3::timestamptz + case when n = 1 then interval '0' else interval '47 hours' end
        from numbered returning id, campaign_id, opted_in_at
    )
    insert into opt_in_runs (participation_id, campaign_id, started_at, confirmed_at)
      select id, campaign_id, opted_in_at, opted_in_at from tests`,
    [id, starts, now, title.toLowerCase()],
  )
  await t.look('update campaigns set seats_taken = $2, open_testers = $2, joins_ever = $2 where id = $1', [
    id,
    daysAgo.length,
  ])
}

const warningAbout = async (title: string) => {
  await wakeParticipations.run({})
  const { body } = await developer.call<Notification[]>('GET', '/users/me/notifications')
  return body.find(({ subject }) => subject.endsWith(`may drop out of ${title}`))!.text
}
const dateOf = (days: number) => dayWords(dayIn('UTC', daysAfter(clock.now(), days)), clock.now())

test('with one to spare, the other date', async () => {
  await campaignWith('Spare', [...Array.from({ length: 12 }, () => 8), 3])
  expect(await warningAbout('Spare')).toContain(
    `If Tester 1 stops today, the date moves from ${dateOf(6)} to ${dateOf(11)}.`,
  )
})

test('with none to spare, the date of a new tester', async () => {
  await campaignWith(
    'Twelve',
    Array.from({ length: 12 }, () => 8),
  )
  expect(await warningAbout('Twelve')).toContain(
    `If Tester 1 stops today, the date moves from ${dateOf(6)} to ${dateOf(14)} at the earliest`,
  )
})

test('with none to spare besides one whose opt-in is contested and one who has opted out, the same', async () => {
  const title = 'Thirteenth'
  await campaignWith(
    title,
    Array.from({ length: 14 }, () => 8),
  )
  const runOf = (ordinal: number) => `where participation_id = (select p.id from participations p
    join campaigns c on c.id = p.campaign_id where c.title = '${title}' and p.ordinal = ${ordinal})`
  await t.look(`update opt_in_runs set contested_at = now(), contest_reason = 'Not there.' ${runOf(13)}`)
  await t.look(`update opt_in_runs set ended_at = now(), end_reason = 'OPTED_OUT' ${runOf(14)}`)
  expect(await warningAbout(title)).toContain(
    `If Tester 1 stops today, the date moves from ${dateOf(6)} to ${dateOf(14)} at the earliest`,
  )
})

test('with one to spare whose contested opt-in counts again, the other date', async () => {
  const title = 'Cleared'
  await campaignWith(title, [...Array.from({ length: 12 }, () => 8), 3])
  await t.look(
    `update opt_in_runs set contested_at = now(), contest_reason = 'Not there.', contest_ended_at = now(),
       contest_outcome = 'CLEARED_BY_TIME' where participation_id = (select p.id from participations p
         join campaigns c on c.id = p.campaign_id where c.title = $1 and p.ordinal = 13)`,
    [title],
  )
  expect(await warningAbout(title)).toContain(
    `If Tester 1 stops today, the date moves from ${dateOf(6)} to ${dateOf(11)}.`,
  )
})

test('of several who would leave together, the date of as many new ones', async () => {
  const title = 'Together'
  await campaignWith(title, [...Array.from({ length: 12 }, () => 8), 3])
  const tests = await t.look<{ id: string; campaignId: string }>(
    `select p.id, c.id as "campaignId" from participations p join campaigns c on c.id = p.campaign_id
      where c.title = $1 order by ordinal`,
    [title],
  )
  const campaign = { id: tests[0]!.campaignId, closedAt: null }
  const [one, two, three] = tests.map(({ id }) => id)
  const costOf = await costOfLeavingIn(autocommit, campaign, clock.now())
  expect(costOf([])).toBeNull()
  expect(costOf([one!])).toBe(`the date moves from ${dateOf(6)} to ${dateOf(11)}`)
  const replaced = `the date moves from ${dateOf(6)} to ${dateOf(14)} at the earliest, if`
  expect(costOf([one!, two!])).toBe(`${replaced} a new tester opts in today`)
  expect(costOf([one!, two!, three!])).toBe(`${replaced} 2 new testers opt in today`)
  const ended = await costOfLeavingIn(autocommit, { ...campaign, closedAt: clock.now() }, clock.now())
  expect(ended([one!, two!])).toBe('nobody can take their place, so there would no longer be a date')
})

test('of one whose opt-in is contested, nothing: the date does not rest on them', async () => {
  await campaignWith('Doubted', [8, ...Array.from({ length: 12 }, () => 8)])
  await t.look(
    `update opt_in_runs set contested_at = now(), contest_reason = 'Not there.' where participation_id =
       (select p.id from participations p join campaigns c on c.id = p.campaign_id where c.title = 'Doubted' and p.ordinal = 1)`,
  )
  expect(await warningAbout('Doubted')).not.toContain('stops today')
})

test('of two campaigns at once, each the date of its own testers', async () => {
  await campaignWith('Former', [...Array.from({ length: 12 }, () => 8), 3])
  await campaignWith('Latter', [...Array.from({ length: 12 }, () => 8), 5])
  expect(await warningAbout('Former')).toContain(`the date moves from ${dateOf(6)} to ${dateOf(11)}.`)
  expect(await warningAbout('Latter')).toContain(`the date moves from ${dateOf(6)} to ${dateOf(9)}.`)
})

test('without a date, nothing of it', async () => {
  await campaignWith(
    'Few',
    Array.from({ length: 11 }, () => 8),
  )
  expect(await warningAbout('Few')).not.toContain('stops today')
})
