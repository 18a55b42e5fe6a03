/** The way into a closed test: the link, the opt-in and the opt-out, each once, whoever else acts at the same time. */
import { describe, expect, test } from 'vitest'
import { clock, daysAfter } from '../../kit/clock.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { joinedBy, liveCampaign, playEmailOf, proof } from '../../testing/app.ts'
import { brokenChecks, emailsOf } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { CampaignEvent } from '../../activity/contract.ts'
import type { TesterList } from '../../testerLists/contract.ts'
import type { CampaignTester, OpenedLink } from '../contract.ts'
import { wakeParticipations } from './participations.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const seat = async (terms: Record<string, unknown> = {}) => {
  const campaign = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST', ...terms })
  const tester = await t.signUp('TESTER')
  const { id } = await joinedBy(tester, campaign.id)
  return { campaign, tester, id }
}
type Seat = Awaited<ReturnType<typeof seat>>

const act = <T = CampaignTester>({ tester, id }: Pick<Seat, 'tester' | 'id'>, action: string, body?: unknown) =>
  tester.call<T>('POST', `/testers/campaign-testers/${id}/${action}`, body)
const mine = async ({ tester, id }: Pick<Seat, 'tester' | 'id'>) =>
  (await tester.call<CampaignTester>('GET', `/testers/campaign-testers/${id}`)).body
const campaignOf = async ({ campaign }: Seat) =>
  (await developer.call<Campaign>('GET', `/campaigns/${campaign.id}`)).body
/** As the developer's confirmation of the list does. */
const list = (ids: string[]) =>
  t.look('update participations set listed_at = $2 where id = any($1)', [ids, clock.now()])
const eventsOf = async ({ campaign }: Seat) =>
  (await developer.call<CampaignEvent[]>('GET', `/campaigns/${campaign.id}/activity`)).body.map(({ kind }) => kind)

describe('the funnel', () => {
  test('goes from joined to in use, and each step says since when and what is next', async () => {
    const mySeat = await seat()
    const joined = await mine(mySeat)
    expect(joined).toMatchObject({ funnel: { step: 'JOINED', since: joined.joinedAt }, nextStep: 'WAIT_FOR_LIST' })
    expect(joined).toMatchObject({ proofAllowedAt: null, run: null, runs: [], optOuts: 0 })
    await t.advance(1)
    await list([mySeat.id])
    expect(await mine(mySeat)).toMatchObject({
      funnel: { step: 'LISTED', since: expect.any(String) },
      nextStep: 'OPEN_LINK',
    })
    expect((await act<OpenedLink>(mySeat, 'open-link')).body).toEqual({
      url: mySeat.campaign.distributionLink,
      playEmail: playEmailOf(mySeat.tester),
      groupLink: null,
    })
    const opened = await mine(mySeat)
    expect(opened).toMatchObject({ funnel: { step: 'LINK_OPENED' }, nextStep: 'OPT_IN' })
    await t.advance(1)
    await act(mySeat, 'open-link')
    expect((await mine(mySeat)).funnel).toEqual(opened.funnel)
    const { body } = await act(mySeat, 'opt-in')
    expect(body).toMatchObject({ funnel: { step: 'OPTED_IN', since: body.run!.startedAt }, nextStep: 'CHECK_IN' })
    expect(body.proofAllowedAt).toBe(daysAfter(body.run!.startedAt, 14))
    expect((await act(mySeat, 'check-ins', {})).body).toMatchObject({ funnel: { step: 'IN_USE' }, nextStep: null })
  })

  test('an opt-in counts although nobody listed the tester and the link was not opened; the list is still to be updated', async () => {
    const mySeat = await seat()
    const { status, body } = await act(mySeat, 'opt-in')
    expect([status, body.funnel?.step, body.run?.days]).toEqual([200, 'OPTED_IN', 1])
    const { body: testerList } = await developer.call<TesterList>('GET', `/campaigns/${mySeat.campaign.id}/tester-list`)
    expect(testerList.additions).toMatchObject([{ alias: 'Tester 1' }])
    expect(await t.look('select listed_at from participations where id = $1', [mySeat.id])).toEqual([
      { listed_at: null },
    ])
  })

  test('an open link has no funnel and no opt-in: both calls are 409, and days count from joining', async () => {
    const mySeat = await seat({ accessMode: 'OPEN_LINK' })
    for (const action of ['opt-in', 'opt-out'])
      expect(await act(mySeat, action)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    const joined = await mine(mySeat)
    expect(joined).toMatchObject({ funnel: null, proofAllowedAt: daysAfter(joined.joinedAt, 14), nextStep: 'CHECK_IN' })
    expect((await act<OpenedLink>(mySeat, 'open-link')).body.playEmail).toBeNull()
  })

  test('a stranger’s test is not found, and a group’s members are shown the group', async () => {
    const mySeat = await seat({ accessMode: 'GOOGLE_GROUP', groupLink: 'https://groups.google.com/g/notes-testers' })
    const stranger = await t.signUp('TESTER')
    for (const action of ['open-link', 'opt-in', 'opt-out'])
      expect((await act({ ...mySeat, tester: stranger }, action)).status).toBe(404)
    expect((await act<OpenedLink>(mySeat, 'open-link')).body.groupLink).toBe(
      'https://groups.google.com/g/notes-testers',
    )
  })
})

describe('days count from the opt-in', () => {
  test('no check-in and no proof without a run; a return begins at day 1', async () => {
    const mySeat = await seat({ durationDays: 2 })
    expect((await act(mySeat, 'check-ins', {})).status).toBe(409)
    await act(mySeat, 'opt-in')
    await act(mySeat, 'check-ins', {})
    await t.advance(47)
    expect((await act(mySeat, 'proof', { proof })).status).toBe(409)
    const out = (await act(mySeat, 'opt-out')).body
    expect(out).toMatchObject({ proofAllowedAt: null, run: null, optOuts: 1, funnel: { step: 'LINK_OPENED' } })
    await t.advance(2)
    expect(await act(mySeat, 'proof', { proof })).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    const back = (await act(mySeat, 'opt-in')).body
    expect(back.run?.days).toBe(1)
    expect(back.proofAllowedAt).toBe(daysAfter(back.run!.startedAt, 2))
    expect(back.runs).toHaveLength(2)
    await t.advance(24)
    await act(mySeat, 'check-ins', {})
    await t.advance(24)
    expect((await act(mySeat, 'proof', { proof })).body.status).toBe('SUBMITTED')
  })

  test('the campaign’s end is moved to the latest opt-in plus its days, and never back', async () => {
    const mySeat = await seat({ durationDays: 3 })
    const atStart = (await campaignOf(mySeat)).endDate
    await t.advance(24)
    const first = (await act(mySeat, 'opt-in')).body
    expect((await campaignOf(mySeat)).endDate).toBe(first.proofAllowedAt)
    expect(first.proofAllowedAt! > atStart!).toBe(true)
    await act(mySeat, 'opt-out')
    expect((await campaignOf(mySeat)).endDate).toBe(first.proofAllowedAt)
    await t.look(`update campaigns set end_date = end_date + interval '9 days' where id = $1`, [mySeat.campaign.id])
    const later = (await campaignOf(mySeat)).endDate
    await act(mySeat, 'opt-in')
    expect((await campaignOf(mySeat)).endDate).toBe(later)
  })

  test('the campaign’s end is moved by an opt-in while it is paused, too', async () => {
    const mySeat = await seat({ durationDays: 3 })
    await developer.call('POST', `/campaigns/${mySeat.campaign.id}/pause`)
    await t.advance(24)
    const { proofAllowedAt } = (await act(mySeat, 'opt-in')).body
    expect((await campaignOf(mySeat)).endDate).toBe(proofAllowedAt)
  })

  test('a confirmation and a contest are about the present run, and leave those before it as they were', async () => {
    const mySeat = await seat()
    await act(mySeat, 'opt-in')
    await act(mySeat, 'opt-out')
    const before = await t.look('select * from opt_in_runs where participation_id = $1', [mySeat.id])
    expect(before).toHaveLength(1)
    await t.advance(1)
    await act(mySeat, 'opt-in')
    await t.advance(1)
    await act(mySeat, 'opt-in')
    const reason = 'Play Console shows one tester fewer.'
    expect((await developer.call('POST', `/campaign-testers/${mySeat.id}/contest-opt-in`, { reason })).status).toBe(200)
    const runs = await t.look<{ contested_at: string | null }>(
      'select * from opt_in_runs where participation_id = $1 order by id',
      [mySeat.id],
    )
    expect([runs[0], runs[1]!.contested_at]).toEqual([before[0], expect.any(String)])
  })

  test('a second opt-in during a run confirms it and starts none', async () => {
    const mySeat = await seat()
    const { run } = (await act(mySeat, 'opt-in')).body
    await t.advance(5)
    const again = (await act(mySeat, 'opt-in')).body
    expect(again.run).toMatchObject({ startedAt: run!.startedAt })
    expect(again.run!.confirmedAt > run!.confirmedAt).toBe(true)
    expect(again.runs).toHaveLength(1)
  })

  test('a cancelled campaign ends every run, of those under review too', async () => {
    const mySeat = await seat({ durationDays: 1 })
    await act(mySeat, 'opt-in')
    await t.advance(24)
    await act(mySeat, 'proof', { proof })
    await developer.call('POST', `/campaigns/${mySeat.campaign.id}/cancel`)
    const rows = await t.look<{ end_reason: string }>(
      'select end_reason from opt_in_runs where participation_id = $1',
      [mySeat.id],
    )
    expect(rows).toEqual([{ end_reason: 'CANCELLED' }])
    expect(await mine(mySeat)).toMatchObject({ status: 'SUBMITTED', run: null })
    const { body: told } = await mySeat.tester.call<{ subject: string }[]>('GET', '/users/me/notifications')
    expect(told[0]!.subject).toMatch(/^You may opt out now/)
    expect((await act(mySeat, 'opt-in')).status).toBe(409)
    await developer.call('POST', `/campaign-testers/${mySeat.id}/request-changes`, { note: 'More.' })
    expect((await act(mySeat, 'proof', { proof })).body.status).toBe('SUBMITTED')
  })
})

describe('opting out', () => {
  test('the third time gives the seat back at once, while the days are still to come', async () => {
    const mySeat = await seat({ testersRequired: 1, title: 'Thrice' })
    for (let times = 1; times <= 3; times++) {
      await act(mySeat, 'opt-in')
      expect((await act(mySeat, 'opt-out')).body.status).toBe(times < 3 ? 'ACTIVE' : 'DROPPED')
    }
    expect(await mine(mySeat)).toMatchObject({ dropReason: 'THIRD_OPT_OUT', payoutAmountCents: 0 })
    expect((await campaignOf(mySeat))._count.campaignTesters).toBe(0)
    expect((await eventsOf(mySeat)).filter(kind => kind === 'TESTER_OPTED_OUT')).toHaveLength(3)
    await t.advance(0)
    expect(
      (await emailsOf(t)).filter(email => email.includes('Thrice') && email.startsWith(developer.user.email)),
    ).toContain(`${developer.user.email}: A seat is open again: Thrice`)
  })

  test('is told to the owner each time while the seat depends on it', async () => {
    const mySeat = await seat({ title: 'In and out' })
    for (let times = 1; times <= 2; times++) for (const step of ['opt-in', 'opt-out']) await act(mySeat, step)
    const told = await t.look(
      `select from notifications where kind = 'TESTER_OPTED_OUT_OWNER' and about_test_id = $1`,
      [mySeat.id],
    )
    expect(told).toHaveLength(2)
  })

  test('under review and after verification it ends the run, and neither review nor pay', async () => {
    const mySeat = await seat({ durationDays: 1 })
    await act(mySeat, 'opt-in')
    await t.advance(24)
    await act(mySeat, 'proof', { proof })
    for (let times = 1; times <= 3; times++) {
      expect((await act(mySeat, 'opt-out')).body).toMatchObject({ status: 'SUBMITTED', run: null })
      await act(mySeat, 'opt-in')
    }
    expect((await developer.call<CampaignTester>('POST', `/campaign-testers/${mySeat.id}/verify`)).body).toMatchObject({
      status: 'VERIFIED',
      run: { days: expect.any(Number) },
    })
    expect((await act(mySeat, 'opt-out')).body).toMatchObject({
      status: 'VERIFIED',
      payoutAmountCents: 1000,
      run: null,
    })
  })

  test('after verification, nobody is asked to make good what a tester who can no longer sign in cannot', async () => {
    const mySeat = await seat({ durationDays: 1 })
    await act(mySeat, 'opt-in')
    await t.advance(24)
    await act(mySeat, 'proof', { proof })
    await developer.call('POST', `/campaign-testers/${mySeat.id}/verify`)
    await developer.call('POST', `/campaign-testers/${mySeat.id}/contest-opt-in`, { reason: 'Nobody is there.' })
    await admin.call('POST', `/admin/users/${mySeat.tester.user.id}/ban`, { reason: 'Sold it.' })
    const decision = { decision: 'VOID', note: 'Nobody was there.' }
    expect((await admin.call('POST', `/admin/campaign-testers/${mySeat.id}/decide-opt-in`, decision)).status).toBe(200)
    const told = await t.look<{ text: string }>(
      `select text from notifications where kind in ('OPT_IN_VOIDED', 'OPT_IN_VOIDED_OWNER')
        and $1 in (about_id, about_test_id) order by kind`,
      [mySeat.id],
    )
    expect(told.map(({ text }) => text.split('\n\n').at(-1))).toEqual([
      'Your account was suspended, so you cannot opt in again unless it is restored; your days then begin at 1.',
      'Their account is suspended or was deleted, so they cannot opt in again.',
    ])
    const [shown] = (await developer.call<CampaignTester[]>('GET', `/campaigns/${mySeat.campaign.id}/testers`)).body
    expect([shown?.nextStep, shown?.actions]).toEqual(['OPT_IN', expect.not.arrayContaining(['nudge'])])
    expect(await developer.call('POST', `/campaign-testers/${mySeat.id}/nudge`)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('a reminder would reach nobody') as string },
    })
  })

  test('under review is told to the owner once in 24 hours, and after the tenth time no opt-in begins, unless changes are requested', async () => {
    const mySeat = await seat({ durationDays: 1, title: 'To and fro' })
    await act(mySeat, 'opt-in')
    await t.advance(24)
    await act(mySeat, 'proof', { proof })
    for (let times = 1; times <= 10; times++) {
      expect((await act(mySeat, 'opt-out')).status).toBe(200)
      if (times === 5) await t.advance(24)
      if (times < 10) expect((await act(mySeat, 'opt-in')).body.run?.days).toBe(1)
    }
    expect(await act(mySeat, 'opt-in')).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } })
    const over = await mine(mySeat)
    expect(over).toMatchObject({ status: 'SUBMITTED', nextStep: null, optOuts: 10 })
    expect(over.actions).not.toContain('optIn')
    expect(over.runs).toHaveLength(10)
    await t.advance(0)
    const told = (await emailsOf(t)).filter(email => email.endsWith('Tester 1 opted out: To and fro'))
    // The first time, and the sixth, a day after the fifth.
    expect(told).toHaveLength(2)
    // Who has to change the proof needs a run for it.
    await developer.call('POST', `/campaign-testers/${mySeat.id}/request-changes`, { note: 'Say more.' })
    expect((await act(mySeat, 'opt-in')).body).toMatchObject({ status: 'CHANGES_REQUESTED', run: { days: 1 } })
  })

  test('does not move the deadline of changes, so nobody is warned of it twice', async () => {
    const mySeat = await seat({ durationDays: 1, testersRequired: 1 })
    await act(mySeat, 'opt-in')
    await t.advance(24)
    await act(mySeat, 'proof', { proof })
    await developer.call('POST', `/campaign-testers/${mySeat.id}/request-changes`, { note: 'Say more.' })
    await t.look('update participations set proof_warned = true where id = $1', [mySeat.id])
    const { deadlineAt } = await mine(mySeat)
    for (const step of ['opt-out', 'opt-in'])
      expect((await act(mySeat, step)).body).toMatchObject({ status: 'CHANGES_REQUESTED', atRisk: true, deadlineAt })
  })

  test('a return under review does not move the campaign’s end: the days are done', async () => {
    const mySeat = await seat({ durationDays: 1, testersRequired: 2 })
    await act(mySeat, 'opt-in')
    await t.advance(24)
    await act(mySeat, 'proof', { proof })
    const { endDate } = await campaignOf(mySeat)
    const { proofAllowedAt } = await mine(mySeat)
    expect(proofAllowedAt).not.toBeNull()
    await act(mySeat, 'opt-out')
    expect((await act(mySeat, 'opt-in')).body).toMatchObject({
      status: 'SUBMITTED',
      proofAllowedAt,
      run: { days: expect.any(Number) },
    })
    expect((await campaignOf(mySeat)).endDate).toBe(endDate)
  })

  test('after verification neither it nor a return moves the campaign’s end or the day of the proof', async () => {
    const mySeat = await seat({ durationDays: 1, testersRequired: 2 })
    await act(mySeat, 'opt-in')
    await t.advance(24)
    await act(mySeat, 'proof', { proof })
    await developer.call('POST', `/campaign-testers/${mySeat.id}/verify`)
    const { endDate } = await campaignOf(mySeat)
    const { proofAllowedAt } = await mine(mySeat)
    expect(proofAllowedAt).not.toBeNull()
    await act(mySeat, 'opt-out')
    expect((await mine(mySeat)).proofAllowedAt).toBe(proofAllowedAt)
    const back = (await act(mySeat, 'opt-in')).body
    expect(back).toMatchObject({ proofAllowedAt, run: { days: expect.any(Number) } })
    expect((await campaignOf(mySeat)).endDate).toBe(endDate)
  })

  test('72 hours out give the seat back, with a warning at 48', async () => {
    const mySeat = await seat({ title: 'Out' })
    await act(mySeat, 'opt-in')
    await act(mySeat, 'check-ins', {})
    await act(mySeat, 'opt-out')
    await t.advance(47)
    expect(await mine(mySeat)).toMatchObject({ status: 'ACTIVE', atRisk: false })
    await t.advance(1)
    expect(await mine(mySeat)).toMatchObject({ status: 'ACTIVE', atRisk: true })
    await t.advance(24)
    expect(await mine(mySeat)).toMatchObject({ status: 'DROPPED', dropReason: 'OPTED_OUT' })
    expect(
      (await emailsOf(t)).filter(email => email.endsWith(': Out') || email.endsWith(' of Out')).toSorted(),
    ).toEqual([
      `${developer.user.email}: A seat is open again: Out`,
      `${developer.user.email}: Approved: Out`,
      `${developer.user.email}: Tester 1 may drop out of Out`,
      `${developer.user.email}: Tester 1 opted out: Out`,
      `${mySeat.tester.user.email}: Opt in on Google Play: Out`,
      `${mySeat.tester.user.email}: You lost your seat: Out`,
    ])
  })
})

test('listed and not opted in for 72 hours loses the seat; the hours begin with the listing', async () => {
  const mySeat = await seat()
  await t.advance(40)
  await list([mySeat.id])
  await t.advance(47)
  expect(await mine(mySeat)).toMatchObject({ status: 'ACTIVE', atRisk: false })
  await t.advance(1)
  expect(await mine(mySeat)).toMatchObject({ status: 'ACTIVE', atRisk: true })
  await t.advance(24)
  expect(await mine(mySeat)).toMatchObject({ status: 'DROPPED', dropReason: 'NOT_OPTED_IN' })
})

describe('at the same moment', () => {
  const countRuns = async ({ id }: Seat) =>
    await t.look<{ started_at: string; ended_at: string | null; end_reason: string | null }>(
      'select * from opt_in_runs where participation_id = $1 order by id',
      [id],
    )

  test('two opt-ins start one run, and two opt-outs end it once', async () => {
    const mySeat = await seat()
    const both = await Promise.all([act(mySeat, 'opt-in'), act(mySeat, 'opt-in')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await countRuns(mySeat)).toHaveLength(1)
    const outs = await Promise.all([act(mySeat, 'opt-out'), act(mySeat, 'opt-out')])
    expect(outs.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await mine(mySeat)).optOuts).toBe(1)
  })

  const dropDue = async () => {
    const mySeat = await seat()
    await list([mySeat.id])
    await t.look('update participations set wake_at = $2 where id = $1', [mySeat.id, clock.now()])
    clock.setOffsetMs(clock.offsetMs() + 72 * 3_600_000)
    // Signed in anew, so that no refresh comes between.
    await mine(mySeat)
    return mySeat
  }
  const heldAt = ({ campaign }: Seat) => ({ rows: 'select from campaigns where id = $1', values: [campaign.id] })

  test('an opt-in that comes first keeps the seat; a drop that comes first refuses the opt-in', async () => {
    const first = await dropDue()
    const [saved] = await overtaken(
      t,
      heldAt(first),
      () => act(first, 'opt-in'),
      () => wakeParticipations.run({}),
    )
    expect([saved.status, (await mine(first)).status]).toEqual([200, 'ACTIVE'])
    const second = await dropDue()
    const [, refused] = await overtaken(
      t,
      heldAt(second),
      () => wakeParticipations.run({}),
      () => act(second, 'opt-in'),
    )
    expect([refused.status, (await mine(second)).status]).toEqual([409, 'DROPPED'])
    expect(await countRuns(second)).toEqual([])
  })

  test('an opt-out and the drop for want of a check-in end the run once', async () => {
    const optedIn = async () => {
      const mySeat = await seat()
      await act(mySeat, 'opt-in')
      clock.setOffsetMs(clock.offsetMs() + 72 * 3_600_000)
      await mine(mySeat)
      return mySeat
    }
    const first = await optedIn()
    await overtaken(
      t,
      heldAt(first),
      () => act(first, 'opt-out'),
      () => wakeParticipations.run({}),
    )
    expect([(await mine(first)).status, (await countRuns(first))[0]!.end_reason]).toEqual(['ACTIVE', 'OPTED_OUT'])
    const second = await optedIn()
    const [, refused] = await overtaken(
      t,
      heldAt(second),
      () => wakeParticipations.run({}),
      () => act(second, 'opt-out'),
    )
    expect([refused.status, (await mine(second)).status]).toEqual([409, 'DROPPED'])
    expect((await countRuns(second))[0]!.end_reason).toBe('DROPPED')
  })
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
