/** Doubts about an opt-in touch the clock only, and end by an admin's decision or by time; reminders go out once a day. */
import { describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { joinedBy, liveCampaign, type Reply } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { CampaignTester, ContestedOptIn } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const stranger = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const seat = async (title = 'Doubt') => {
  const campaign = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST', title })
  const tester = await t.signUp('TESTER')
  return { campaign, tester, id: (await joinedBy(tester, campaign.id)).id }
}
const optedIn = async (title?: string) => {
  const mySeat = await seat(title)
  await act(mySeat, 'opt-in')
  return mySeat
}
type Seat = Awaited<ReturnType<typeof seat>>

const act = ({ tester, id }: Seat, action: string, body?: unknown) =>
  tester.call<CampaignTester>('POST', `/testers/campaign-testers/${id}/${action}`, body)
const mine = async ({ tester, id }: Seat) =>
  (await tester.call<CampaignTester>('GET', `/testers/campaign-testers/${id}`)).body
const reason = 'Play Console shows one tester fewer.'
const contest = ({ id }: Seat, by = developer) =>
  by.call<CampaignTester>('POST', `/campaign-testers/${id}/contest-opt-in`, { reason })
const decide = ({ id }: Seat, decision: 'CLEAR' | 'VOID', by = admin) =>
  by.call<CampaignTester>('POST', `/admin/campaign-testers/${id}/decide-opt-in`, { decision, note: 'Looked at it.' })
const nudge = ({ id }: Seat, by = developer) => by.call<CampaignTester>('POST', `/campaign-testers/${id}/nudge`)
const waiting = async () => (await admin.call<ContestedOptIn[]>('GET', '/admin/campaign-testers/contested')).body
const runOf = async ({ id }: Seat) =>
  (
    await t.look<Record<string, unknown>>(
      'select * from opt_in_runs where participation_id = $1 order by id desc limit 1',
      [id],
    )
  )[0]!
/** From the notifications: a mail's subject is encoded when it has an apostrophe. */
const subjects = async (title: string) =>
  (
    await t.look<{ sent: string }>(
      `select u.email || ': ' || n.subject as sent from notifications n join users u on u.id = n.user_id
        where n.subject like '%: ' || $1 order by n.id`,
      [title],
    )
  ).map(({ sent }) => sent)

const rejected = async (title: string) => {
  const mySeat = await optedIn(title)
  await t.look(
    `update participations set status = 'SUBMITTED', proof_text = 'Tried the search.', proof_submitted_at = now() where id = $1`,
    [mySeat.id],
  )
  const why = { code: 'OTHER', reason: 'The proof shows another app, and nothing of the search.' }
  expect((await developer.call('POST', `/campaign-testers/${mySeat.id}/reject`, why)).status).toBe(200)
  return mySeat
}
/** How the tester's and the owner's notification of a voided opt-in end. */
const lastWordsOfVoid = async ({ id }: Seat) =>
  (
    await t.look<{ text: string }>(
      `select text from notifications where kind in ('OPT_IN_VOIDED', 'OPT_IN_VOIDED_OWNER')
        and $1 in (about_id, about_test_id) order by kind`,
      [id],
    )
  ).map(({ text }) => text.split('\n\n').at(-1))

describe('a contested opt-in', () => {
  test('is contested once, by the owner alone, and days, check-ins and proof go on', async () => {
    const mySeat = await optedIn()
    expect((await contest(mySeat, stranger)).status).toBe(404)
    expect((await contest(mySeat, admin)).status).toBe(403)
    expect((await contest(mySeat)).body.run?.contest).toMatchObject({ reason, endedAt: null })
    expect((await contest(mySeat)).status).toBe(409)
    expect((await act(mySeat, 'check-ins', {})).status).toBe(201)
    expect((await mine(mySeat)).run).toMatchObject({ days: 1 })
    await decide(mySeat, 'CLEAR')
    expect((await contest(mySeat)).status).toBe(409)
    await act(mySeat, 'opt-out')
    expect((await contest(mySeat)).status).toBe(409)
    await act(mySeat, 'opt-in')
    expect((await contest(mySeat)).status).toBe(200)
  })

  test('waits for an admin under the alias, who decides with a note that both sides read', async () => {
    const mySeat = await optedIn('Decided')
    await contest(mySeat)
    const listed = (await waiting()).find(({ id }) => id === mySeat.id)!
    expect(listed).toMatchObject({ alias: 'Tester 1', reason, campaign: { title: 'Decided' } })
    expect(JSON.stringify(listed)).not.toContain(mySeat.tester.user.email)
    expect((await decide(mySeat, 'CLEAR')).status).toBe(200)
    expect(await runOf(mySeat)).toMatchObject({ contest_outcome: 'CLEARED_BY_ADMIN', ended_at: null })
    expect((await waiting()).some(({ id }) => id === mySeat.id)).toBe(false)
    expect((await decide(mySeat, 'VOID')).status).toBe(409)
    await t.advance(0)
    const sent = await subjects('Decided')
    expect(sent).toContain(`${mySeat.tester.user.email}: Your opt-in counts: Decided`)
    expect(sent).toContain(`${developer.user.email}: Tester 1’s opt-in counts: Decided`)
  })

  test('ends when it is voided, costs no opt-out, and the tester may opt in again from day 1', async () => {
    const mySeat = await optedIn()
    await contest(mySeat)
    await decide(mySeat, 'VOID')
    expect(await mine(mySeat)).toMatchObject({ run: null, optOuts: 0, nextStep: 'OPT_IN', proofAllowedAt: null })
    expect(await runOf(mySeat)).toMatchObject({ end_reason: 'VOIDED', contest_outcome: 'VOIDED' })
    await t.advance(24)
    expect((await act(mySeat, 'opt-in')).body.run).toMatchObject({ days: 1, contest: null })
  })

  test('of a rejected proof can be voided, too: then only a granted appeal lets the tester opt in again, as both read', async () => {
    const mySeat = await rejected('Rejected and voided')
    await contest(mySeat)
    expect((await decide(mySeat, 'VOID')).status).toBe(200)
    expect(await lastWordsOfVoid(mySeat)).toEqual([
      expect.stringContaining('you cannot opt in again unless an admin grants your appeal'),
      expect.stringContaining('they cannot opt in again unless an admin grants their appeal'),
    ])
    expect((await act(mySeat, 'opt-in')).status).toBe(409)
  })

  test('of a rejected proof whose tester is suspended: both read that the account has to be restored first', async () => {
    const mySeat = await rejected('Rejected, suspended and voided')
    await contest(mySeat)
    await admin.call('POST', `/admin/users/${mySeat.tester.user.id}/ban`, { reason: 'Two accounts.' })
    expect((await decide(mySeat, 'VOID')).status).toBe(200)
    expect(await lastWordsOfVoid(mySeat)).toEqual([
      'Your proof was rejected and your account suspended, so you cannot opt in again unless an admin grants your appeal and your account is restored; your days then begin at 1.',
      'Their account is suspended or was deleted, so they cannot opt in again.',
    ])
  })

  test('counts again after 72 hours without a decision, and not before', async () => {
    const mySeat = await optedIn('By time')
    await contest(mySeat)
    await t.advance(47)
    await act(mySeat, 'check-ins', {})
    await t.advance(24)
    expect((await mine(mySeat)).run?.contest?.endedAt).toBeNull()
    await t.advance(1)
    expect(await runOf(mySeat)).toMatchObject({ contest_outcome: 'CLEARED_BY_TIME', ended_at: null })
    expect(await subjects('By time')).toContain(`${developer.user.email}: Tester 1’s opt-in counts: By time`)
  })

  test('at the same moment as the opt-out: whichever is first, the run ends once and nothing waits for a decision', async () => {
    const held = ({ campaign }: Seat) => ({ rows: 'select from campaigns where id = $1', values: [campaign.id] })
    const first = await optedIn()
    const [doubted] = await overtaken(
      t,
      held(first),
      () => contest(first),
      () => act(first, 'opt-out'),
    )
    expect([doubted.status, (await runOf(first))['end_reason']]).toEqual([200, 'OPTED_OUT'])
    const second = await optedIn()
    const [, refused] = await overtaken(
      t,
      held(second),
      () => act(second, 'opt-out'),
      () => contest(second),
    )
    expect([refused.status, (await runOf(second))['contested_at']]).toEqual([409, null])
    const ids = (await waiting()).map(({ id }) => id)
    expect(ids).not.toContain(first.id)
    expect((await decide(first, 'VOID')).status).toBe(409)
  })
})

describe('a reminder', () => {
  test('goes to the tester with the one next step, once a calendar day of theirs', async () => {
    const mySeat = await seat('Nudged')
    expect((await nudge(mySeat)).status).toBe(409)
    await t.look('update participations set listed_at = $2 where id = $1', [mySeat.id, clock.now()])
    expect((await nudge(mySeat, stranger)).status).toBe(404)
    const both = await Promise.all([nudge(mySeat), nudge(mySeat)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await mine(mySeat)).nudgedAt).toBeNull()
    await t.advance(24)
    expect((await nudge(mySeat)).status).toBe(200)
    await t.advance(0)
    expect(await subjects('Nudged')).toContain(`${mySeat.tester.user.email}: A reminder from the developer: Nudged`)
  })

  test('is refused when there is nothing to do', async () => {
    const mySeat = await optedIn()
    await act(mySeat, 'check-ins', {})
    expect(await nudge(mySeat)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
  })
})

test('the queue says when the tester last checked in, and how often', async () => {
  const mySeat = await optedIn('Used daily')
  await act(mySeat, 'check-ins', {})
  await t.advance(24)
  const { body } = await act(mySeat, 'check-ins', {})
  await contest(mySeat)
  expect((await waiting()).find(({ id }) => id === mySeat.id)).toMatchObject({
    checkIns: 2,
    lastCheckInAt: body.checkIns.at(-1)!.at,
  })
})

test('the queue leads an admin from each to the next, the oldest first, and then ends', async () => {
  const ids: string[] = []
  const seats = []
  for (const title of ['Page 1', 'Page 2', 'Page 3']) seats.push(await optedIn(title))
  // In another order than they opted in.
  for (const mySeat of [seats[2]!, seats[0]!, seats[1]!]) {
    await contest(mySeat)
    ids.push(mySeat.id)
    await t.advance(0.1)
  }
  const whole = (await admin.call<ContestedOptIn[]>('GET', '/admin/campaign-testers/contested?limit=100')).body.map(
    ({ id }) => id,
  )
  const seen: string[] = []
  for (let path: string | undefined = '/admin/campaign-testers/contested?limit=1'; path !== undefined;) {
    const { body, headers }: Reply<ContestedOptIn[]> = await admin.call<ContestedOptIn[]>('GET', path)
    seen.push(...body.map(({ id }) => id))
    path = /^<([^>]+)>; rel="next"$/.exec(String(headers['link']))?.[1]
  }
  expect(seen).toEqual(whole)
  expect(seen.slice(-3)).toEqual(ids)
})
