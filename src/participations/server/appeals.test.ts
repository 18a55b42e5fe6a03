/** From a rejection to its end: what is frozen, who may do what, and where the money goes. */
import { describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { daysAndProof, device, joinedBy, liveCampaign, type Person, type Reply } from '../../testing/app.ts'
import { brokenChecks, emailsOf, inParallel, tally } from '../../testing/observed.ts'
import { picture } from '../../testing/pictures.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { uploaded } from '../../testing/uploads.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Balance } from '../../ledger/contract.ts'
import type { Notification } from '../../notifications/contract.ts'
import type { AppealCase, CampaignTester, WaitingAppeal } from '../contract.ts'
import { wakeParticipations } from './participations.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const otherDeveloper = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

type Answer = CampaignTester & { code?: string; message?: string }
const rejection = { code: 'NO_EVIDENCE_OF_TESTING', reason: 'The proof speaks of none of the screens of our app.' }
const reason = 'The second picture shows the search of the app, with the word that I looked for.'
const note = 'The pictures show each of the screens that were asked for.'

const reject = (id: string) => developer.call<Answer>('POST', `/campaign-testers/${id}/reject`, rejection)
const appeal = (tester: Person, id: string, more: object = {}) =>
  tester.call<Answer>('POST', `/testers/campaign-testers/${id}/appeal`, { reason, ...more })
const decide = (id: string, decision: string, key?: string) =>
  admin.call<Answer>('POST', `/admin/campaign-testers/${id}/decide-appeal`, { decision, note }, key)
const own = async (tester: Person, id: string) =>
  (await tester.call<Answer>('GET', `/testers/campaign-testers/${id}`)).body
const campaignOf = async (id: string) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body
const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents

/** What the ledger holds for a campaign. */
const heldFor = async (id: string) => {
  const [row] = await t.look<{ pay: number; fee: number }>(
    `select coalesce(sum(balance_cents) filter (where kind = 'CAMPAIGN_ESCROW'), 0)::int as pay,
      coalesce(sum(balance_cents) filter (where kind = 'CAMPAIGN_FEE'), 0)::int as fee from accounts where owner_id = $1`,
    [id],
  )
  return row!
}

/** A tester of a campaign of one day, with the proof handed in; $10.00 and a fee of $1.50 for each seat. */
const submitted = async (title: string, terms: Record<string, unknown> = {}) => {
  const { id: campaignId } = await liveCampaign(developer, admin, {
    title,
    testersRequired: 1,
    durationDays: 1,
    ...terms,
  })
  const tester = await t.signUp('TESTER')
  const { id } = await joinedBy(tester, campaignId)
  await daysAndProof(t, [{ person: tester, participationId: id }], 1)
  return { id, tester, campaignId }
}
const rejected = async (title: string, terms: Record<string, unknown> = {}) => {
  const made = await submitted(title, terms)
  expect((await reject(made.id)).status).toBe(200)
  return made
}
const appealed = async (title: string, terms: Record<string, unknown> = {}) => {
  const made = await rejected(title, terms)
  expect((await appeal(made.tester, made.id)).status).toBe(200)
  return made
}

const emailsAbout = async (title: string) => {
  await t.advance(0)
  return (await emailsOf(t)).filter(email => email.endsWith(title))
}

describe('from the rejection on', () => {
  test('the seat stays taken with its pay and fee: nobody gets it, and the money card says until when', async () => {
    const { id, tester, campaignId } = await rejected('Frozen')
    const until = new Date(Date.parse(clock.now()) + 72 * 3_600_000).toISOString().slice(0, 16)
    expect(await own(tester, id)).toMatchObject({
      status: 'REJECTED',
      closedAt: null,
      review: rejection,
      appeal: null,
      actions: ['appeal'],
    })
    const campaign = await campaignOf(campaignId)
    expect(campaign).toMatchObject({
      status: 'LIVE',
      _count: { campaignTesters: 1 },
      frozen: { seats: 1, appealed: 0 },
    })
    expect(campaign.frozen?.until?.slice(0, 16)).toBe(until)
    expect((await own(tester, id)).deadlineAt?.slice(0, 16)).toBe(until)
    const late = await t.signUp('TESTER')
    const join = await late.call<Answer>('POST', `/testers/campaigns/${campaignId}/join`, { deviceInfo: device })
    expect(join).toMatchObject({ status: 409, body: { code: 'CAMPAIGN_FULL' } })
    expect(await heldFor(campaignId)).toEqual({ pay: 1000, fee: 150 })
    expect(await balanceOf(tester)).toBe(0)
    // A tester has nothing to see of it.
    expect((await tester.call<Campaign>('GET', `/campaigns/${campaignId}`)).body.frozen).toBeNull()
  })

  test('the campaign does not complete, although its end has passed and nobody else is in it', async () => {
    const { id, tester, campaignId } = await rejected('Not over')
    await t.advance(71)
    expect((await campaignOf(campaignId)).status).toBe('LIVE')
    await appeal(tester, id)
    await t.advance(48)
    expect((await campaignOf(campaignId)).status).toBe('LIVE')
    await decide(id, 'VERIFY')
    await t.advance(0)
    expect((await campaignOf(campaignId)).status).toBe('COMPLETED')
  })

  test('cancelling gives back everything but this seat’s pay and fee', async () => {
    const { campaignId } = await rejected('Cancelled', { testersRequired: 3 })
    expect(await heldFor(campaignId)).toEqual({ pay: 3000, fee: 450 })
    const cancelled = await developer.call<Campaign>('POST', `/campaigns/${campaignId}/cancel`)
    expect(cancelled.body).toMatchObject({
      status: 'CANCELLED',
      fundedCents: 1000,
      feeCents: 150,
      frozen: { seats: 1 },
    })
    expect(await heldFor(campaignId)).toEqual({ pay: 1000, fee: 150 })
  })

  test('the tester’s unbroken run goes on: it is not lost if the proof is verified in the end', async () => {
    const { id: campaignId } = await liveCampaign(developer, admin, {
      title: 'Run',
      accessMode: 'EMAIL_LIST',
      durationDays: 1,
      testersRequired: 1,
    })
    const tester = await t.signUp('TESTER')
    const { id } = await joinedBy(tester, campaignId)
    await tester.call('POST', `/testers/campaign-testers/${id}/opt-in`)
    await daysAndProof(t, [{ person: tester, participationId: id }], 1)
    await reject(id)
    expect((await own(tester, id)).runs).toMatchObject([{ endedAt: null }])
    await t.advance(72)
    const { runs, closedAt } = await own(tester, id)
    expect(runs).toMatchObject([{ endedAt: closedAt }])
    expect(closedAt).not.toBeNull()
  })

  test('the tester may take another test: a frozen one is not at work', async () => {
    const { tester } = await rejected('Room')
    await admin.call('PATCH', '/admin/settings', { openTestsPerTester: 1 })
    const { id } = await liveCampaign(developer, admin, { title: 'Other' })
    expect((await joinedBy(tester, id)).status).toBe('ACTIVE')
    await admin.call('PATCH', '/admin/settings', { openTestsPerTester: 8 })
  })
})

describe('without an appeal', () => {
  test('the seat is free after 72 hours while the campaign is live, and the developer is told', async () => {
    const { id, tester, campaignId } = await rejected('Unused', { durationDays: 1 })
    await t.look(`update campaigns set end_date = end_date + interval '9 days' where id = $1`, [campaignId])
    await t.advance(72)
    expect(await own(tester, id)).toMatchObject({ status: 'REJECTED', payoutAmountCents: 0, actions: [] })
    const campaign = await campaignOf(campaignId)
    expect(campaign).toMatchObject({ status: 'LIVE', _count: { campaignTesters: 0 }, frozen: null, fundedCents: 1000 })
    expect(await emailsAbout('Unused')).toContain(`${developer.user.email}: A rejection is final: Unused`)
    expect((await joinedBy(await t.signUp('TESTER'), campaignId)).alias).toBe('Tester 2')
  })

  test('its pay and fee go back once the campaign is cancelled', async () => {
    const { campaignId, tester } = await rejected('Refunded')
    await developer.call('POST', `/campaigns/${campaignId}/cancel`)
    await t.advance(72)
    expect(await heldFor(campaignId)).toEqual({ pay: 0, fee: 0 })
    expect(await campaignOf(campaignId)).toMatchObject({ fundedCents: 0, feeCents: 0, frozen: null })
    expect(await balanceOf(tester)).toBe(0)
  })

  test('many rejections end in one run of the clock, each in its campaign', async () => {
    const tests = [await rejected('Many 1'), await rejected('Many 2')]
    await t.advance(72)
    for (const { id, tester } of tests) expect((await own(tester, id)).closedAt).not.toBeNull()
    expect(await brokenChecks()).toEqual([])
  })
})

describe('an appeal', () => {
  test('is made by the tester, with text and files; the developer is told and sees both, and no name', async () => {
    const { id, tester, campaignId } = await rejected('With files')
    const file = await uploaded(t, tester, await picture())
    const { status, body } = await appeal(tester, id, { attachmentIds: [file.id] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'APPEALED',
      appeal: { reason, outcome: null, note: null, attachments: [{ id: file.id }] },
      actions: [],
      deadlineAt: null,
    })
    const { body: seen } = await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)
    expect(seen[0]).toMatchObject({ status: 'APPEALED', alias: 'Tester 1', appeal: { reason } })
    expect(JSON.stringify(seen)).not.toContain(tester.user.name)
    expect((await developer.call('GET', `/attachments/${file.id}`)).status).toBe(200)
    expect((await otherDeveloper.call('GET', `/attachments/${file.id}`)).status).toBe(404)
    expect((await campaignOf(campaignId)).frozen).toEqual({ seats: 1, appealed: 1, until: null })
    expect(await emailsAbout('With files')).toContain(`${developer.user.email}: Tester 1 appealed: With files`)
  })

  test('is the tester’s own: another one’s test is not found, and a developer may not', async () => {
    const { id } = await rejected('Whose')
    expect((await appeal(await t.signUp('TESTER'), id)).status).toBe(404)
    expect((await appeal(developer, id)).status).toBe(403)
    expect((await appeal(admin, id)).status).toBe(403)
  })

  test('needs 30 characters and takes five files, each once and the tester’s own', async () => {
    const { id, tester } = await rejected('Words')
    expect((await appeal(tester, id, { reason: 'a'.repeat(29) })).status).toBe(400)
    const files = Array.from({ length: 6 }, (_, index) => `019e8a00-0000-7000-8000-00000000000${index}`)
    expect((await appeal(tester, id, { attachmentIds: files })).status).toBe(400)
    expect((await appeal(tester, id, { attachmentIds: [files[0], files[0]] })).status).toBe(400)
    expect((await appeal(tester, id, { attachmentIds: [files[0]] })).status).toBe(404)
    // Nothing is left behind of an appeal that failed.
    expect((await own(tester, id)).status).toBe('REJECTED')
  })

  test('is possible once, however often it is sent at once, and not again after the decision', async () => {
    const { id, tester } = await rejected('Once')
    expect(tally(await inParallel(6, () => appeal(tester, id)))).toEqual({ 200: 1, 409: 5 })
    await decide(id, 'UPHOLD')
    const again = await appeal(tester, id)
    expect(again).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(again.body.message).toContain('decision is final')
  })

  test('comes too late after 72 hours, also before the clock has looked', async () => {
    const { id, tester } = await rejected('Late')
    clock.setOffsetMs(clock.offsetMs() + 72 * 3_600_000)
    const late = await appeal(tester, id)
    expect(late).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(late.body.message).toContain('72 hours')
  })

  test('is not possible against anything but a rejection: a verified test is final', async () => {
    const { id, tester } = await submitted('Verified')
    expect((await appeal(tester, id)).status).toBe(409)
    await developer.call('POST', `/campaign-testers/${id}/verify`)
    expect((await appeal(tester, id)).status).toBe(409)
    expect((await reject(id)).status).toBe(409)
    expect((await decide(id, 'UPHOLD')).status).toBe(409)
  })

  test.each([1, 2])('and the end of its time at once have one winner (%i)', async round => {
    const { id, tester, campaignId } = await rejected(`Race ${round}`)
    // Due, and the appeal was begun a moment before.
    await t.look(`update participations set wake_at = $2::timestamptz where id = $1`, [id, clock.now()])
    const both = [() => appeal(tester, id), () => wakeParticipations.run({})]
    const [reply] = (await Promise.all((round === 1 ? both : both.toReversed()).map(act => act()))).filter(
      (one): one is Reply<Answer> => one !== undefined,
    )
    const { status, closedAt } = await own(tester, id)
    expect(reply?.status).toBe(status === 'APPEALED' ? 200 : 409)
    expect(closedAt === null).toBe(status === 'APPEALED')
    expect((await campaignOf(campaignId))._count.campaignTesters).toBe(status === 'APPEALED' ? 1 : 0)
    await t.look(
      `update participations set wake_at = reviewed_at + interval '72 hours' where id = $1 and wake_at is not null`,
      [id],
    )
  })
})

describe('an admin', () => {
  test('sees the appeals in the order in which they came, with both sides’ evidence on one page', async () => {
    const [first, second] = [await appealed('Queue 1'), await appealed('Queue 2')]
    const { body: queue } = await admin.call<WaitingAppeal[]>('GET', '/admin/appeals?limit=100')
    const ids = queue.map(({ id }) => id)
    expect(ids.indexOf(first.id)).toBeLessThan(ids.indexOf(second.id))
    expect(queue.find(({ id }) => id === first.id)).toMatchObject({
      alias: 'Tester 1',
      campaign: { id: first.campaignId, title: 'Queue 1' },
      developerName: developer.user.name,
      testerName: first.tester.user.name,
      code: rejection.code,
      payCents: 1000,
    })
    const { body: page } = await admin.call<AppealCase>('GET', `/admin/appeals/${first.id}`)
    expect(page).toMatchObject({
      developer: { id: developer.user.id },
      tester: { id: first.tester.user.id },
      test: { status: 'APPEALED', review: rejection, appeal: { reason }, actions: ['decideAppeal'] },
    })
    expect(page.test.proof?.text).not.toBe('')
    expect(page.test.checkIns).toHaveLength(1)
    for (const [person, status] of [
      [developer, 403],
      [first.tester, 403],
    ] as const) {
      expect((await person.call('GET', '/admin/appeals')).status).toBe(status)
      expect((await person.call('GET', `/admin/appeals/${first.id}`)).status).toBe(status)
      const answer = await person.call('POST', `/admin/campaign-testers/${first.id}/decide-appeal`, {
        decision: 'VERIFY',
        note,
      })
      expect(answer.status).toBe(status)
    }
    const { body: needs } = await admin.call<{ needs: { kind: string; count: number }[] }>('GET', '/dashboard/needs')
    expect(needs.needs.find(({ kind }) => kind === 'APPEALS')?.count).toBeGreaterThanOrEqual(2)
    await decide(first.id, 'UPHOLD')
    const { body: left } = await admin.call<WaitingAppeal[]>('GET', '/admin/appeals?limit=100')
    expect(left.map(({ id }) => id)).not.toContain(first.id)
    expect((await admin.call<AppealCase>('GET', `/admin/appeals/${first.id}`)).body.test.appeal?.note).toBe(note)
    const { id } = await rejected('No appeal')
    expect((await admin.call('GET', `/admin/appeals/${id}`)).status).toBe(404)
  })

  test('walks the queue page by page', async () => {
    await appealed('Page 1')
    await appealed('Page 2')
    const first = await admin.call<WaitingAppeal[]>('GET', '/admin/appeals?limit=1')
    const next = /cursor=([^&>]+)/.exec(String(first.headers['link']))?.[1]
    const second = await admin.call<WaitingAppeal[]>('GET', `/admin/appeals?limit=1&cursor=${next}`)
    expect(second.body[0]?.id).not.toBe(first.body[0]?.id)
  })

  test('who grants it pays the tester in full and the platform its fee; both sides see the note', async () => {
    const { id, tester, campaignId } = await appealed('Granted')
    const { status, body } = await decide(id, 'VERIFY')
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'VERIFIED', payoutAmountCents: 1000, appeal: { outcome: 'VERIFIED', note } })
    expect(await own(tester, id)).toMatchObject({ status: 'VERIFIED', appeal: { note }, review: { bySilence: false } })
    const { body: seen } = await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)
    expect(seen[0]?.appeal?.note).toBe(note)
    expect(await balanceOf(tester)).toBe(1000)
    expect(await heldFor(campaignId)).toEqual({ pay: 0, fee: 0 })
    expect((await campaignOf(campaignId))._count).toEqual({ campaignTesters: 1, verified: 1 })
    expect(await emailsAbout('Granted')).toContain(`${tester.user.email}: Appeal granted, you earned $10.00: Granted`)
    const { body: told } = await developer.call<Notification[]>('GET', '/users/me/notifications')
    expect(told.map(({ subject }) => subject)).toContain('Tester 1’s appeal was granted: Granted')
  })

  test('who upholds the rejection frees the seat while the campaign is live; both sides see the note', async () => {
    const { id, tester, campaignId } = await appealed('Upheld')
    await t.look(`update campaigns set end_date = end_date + interval '9 days' where id = $1`, [campaignId])
    expect((await decide(id, 'UPHOLD')).body).toMatchObject({ status: 'REJECTED', payoutAmountCents: 0 })
    expect(await own(tester, id)).toMatchObject({
      status: 'REJECTED',
      appeal: { outcome: 'UPHELD', note },
      actions: [],
    })
    expect(await balanceOf(tester)).toBe(0)
    const campaign = await campaignOf(campaignId)
    expect(campaign).toMatchObject({ status: 'LIVE', _count: { campaignTesters: 0 }, fundedCents: 1000, frozen: null })
    expect(await emailsAbout('Upheld')).toContain(`${tester.user.email}: Rejection upheld: Upheld`)
    expect((await joinedBy(await t.signUp('TESTER'), campaignId)).alias).toBe('Tester 2')
  })

  test.each([
    ['VERIFY', 1000, 0],
    ['UPHOLD', 0, 1150],
  ] as const)(
    'who decides %s once the campaign is cancelled moves this seat’s money alone',
    async (decision, paid, back) => {
      const { id, tester, campaignId } = await appealed(`Ended ${decision}`, { testersRequired: 2 })
      await developer.call('POST', `/campaigns/${campaignId}/cancel`)
      const before = await campaignOf(campaignId)
      expect((await decide(id, decision)).status).toBe(200)
      const after = await campaignOf(campaignId)
      expect(await balanceOf(tester)).toBe(paid)
      expect(before.fundedCents + before.feeCents - after.fundedCents - after.feeCents).toBe(back)
      expect(await heldFor(campaignId)).toEqual({ pay: 0, fee: 0 })
    },
  )

  test('decides once: at once with others, and with the same key again, the money moves once', async () => {
    const { id, tester } = await appealed('Twice')
    const replies = await inParallel(8, index => decide(id, index % 2 === 0 ? 'VERIFY' : 'UPHOLD'))
    expect(tally(replies)).toEqual({ 200: 1, 409: 7 })
    expect([0, 1000]).toContain(await balanceOf(tester))
    const other = await appealed('Key')
    const key = 'same-key'
    const both = [await decide(other.id, 'VERIFY', key), await decide(other.id, 'VERIFY', key)]
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await balanceOf(other.tester)).toBe(1000)
    expect((await decide(other.id, 'UPHOLD', key)).status).toBe(422)
  })

  test('and the developer’s cancelling at once add up to the cent, whoever comes first', async () => {
    for (const decision of ['VERIFY', 'UPHOLD']) {
      const { id, campaignId } = await appealed(`Both ${decision}`, { testersRequired: 3, payPerTesterCents: 333 })
      await Promise.all([decide(id, decision), developer.call('POST', `/campaigns/${campaignId}/cancel`)])
      expect(await heldFor(campaignId)).toEqual({ pay: 0, fee: 0 })
    }
    expect(await brokenChecks()).toEqual([])
  })

  test('whose note is missing decides nothing', async () => {
    const { id } = await appealed('No note')
    const empty = { decision: 'VERIFY', note: ' ' }
    expect((await admin.call('POST', `/admin/campaign-testers/${id}/decide-appeal`, empty)).status).toBe(400)
    expect((await decide(id, 'MAYBE')).status).toBe(400)
  })
})

test('the tester’s data export has the appeal', async () => {
  const { tester } = await appealed('Export')
  const { body } = await tester.call<{ appeals: unknown[] }>('GET', '/users/me/export')
  expect(body.appeals).toMatchObject([{ reason, outcome: null }])
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
