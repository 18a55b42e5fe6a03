/** From a rejection to its end without an appeal: what is frozen, and where the money goes. */
import { describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { appeal, balanceOf, hearing, own, rejection, type Answer } from '../../testing/appeals.ts'
import { daysAndProof, device, joinedBy, liveCampaign } from '../../testing/app.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Campaign } from '../../campaigns/contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const { reject, decide, campaignOf, heldFor, submitted, rejected, emailsAbout } = hearing(t, developer, admin)

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

  test.each(['REJECTED', 'APPEALED'])(
    'the tester may say that the opt-in has ended while %s: the seat stays frozen, and no new one begins',
    async status => {
      const { id: campaignId } = await liveCampaign(developer, admin, {
        title: `Out ${status}`,
        accessMode: 'EMAIL_LIST',
        durationDays: 1,
        testersRequired: 1,
      })
      const tester = await t.signUp('TESTER')
      const { id } = await joinedBy(tester, campaignId)
      await tester.call('POST', `/testers/campaign-testers/${id}/opt-in`)
      await daysAndProof(t, [{ person: tester, participationId: id }], 1)
      await reject(id)
      if (status === 'APPEALED') await appeal(tester, id)
      const before = await own(tester, id)
      expect(before.run).not.toBeNull()
      expect(before.actions).toContain('optOut')
      const contest = { reason: 'Play Console does not count this tester.' }
      expect((await developer.call('POST', `/campaign-testers/${id}/contest-opt-in`, contest)).status).toBe(200)
      expect((await tester.call('POST', `/testers/campaign-testers/${id}/opt-out`)).status).toBe(200)
      const after = await own(tester, id)
      expect(after).toMatchObject({ status, run: null, optOuts: 1, closedAt: null, deadlineAt: before.deadlineAt })
      expect(after.actions).not.toContain('optIn')
      expect((await tester.call('POST', `/testers/campaign-testers/${id}/opt-in`)).status).toBe(409)
      expect((await tester.call('POST', `/testers/campaign-testers/${id}/opt-out`)).status).toBe(409)
      expect((await campaignOf(campaignId)).frozen).toMatchObject({ seats: 1 })
    },
  )

  test('an admin decides on an opt-in of a frozen seat that its developer doubts, and the tester may show it', async () => {
    const { id: campaignId } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST', durationDays: 1 })
    const tester = await t.signUp('TESTER')
    const { id } = await joinedBy(tester, campaignId)
    await tester.call('POST', `/testers/campaign-testers/${id}/opt-in`)
    await daysAndProof(t, [{ person: tester, participationId: id }], 1)
    await reject(id)
    await developer.call('POST', `/campaign-testers/${id}/contest-opt-in`, { reason: 'Not in the list.' })
    expect((await own(tester, id)).actions).toContain('optIn')
    const voided = { decision: 'VOID', note: 'The picture shows another app.' }
    expect((await admin.call('POST', `/admin/campaign-testers/${id}/decide-opt-in`, voided)).status).toBe(200)
    expect(await own(tester, id)).toMatchObject({ status: 'REJECTED', run: null, closedAt: null })
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
    const told = await t.look<{ text: string }>(
      `select text from notifications where kind = 'REJECTION_FINAL_OWNER' and about_test_id = $1`,
      [id],
    )
    expect(told[0]?.text).toContain('Nobody appealed in time against your rejection of Tester 1’s proof')
    expect((await joinedBy(await t.signUp('TESTER'), campaignId)).alias).toBe('Tester 2')
  })

  test('the developer reads whose rejection it was that an admin decided', async () => {
    const { id } = await submitted('Their decision')
    expect((await admin.call('POST', `/campaign-testers/${id}/reject`, rejection)).status).toBe(200)
    await t.advance(72)
    const told = await t.look<{ text: string }>(
      `select text from notifications where kind = 'REJECTION_FINAL_OWNER' and about_test_id = $1`,
      [id],
    )
    expect(told[0]?.text).toContain('against an admin’s rejection of Tester 1’s proof')
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

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
