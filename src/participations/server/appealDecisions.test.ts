/** An admin's decision on an appeal: both sides on one page, and the money of each outcome. */
import { beforeAll, describe, expect, test } from 'vitest'
import { appeal, balanceOf, hearing, note, own, reason, rejection } from '../../testing/appeals.ts'
import { joinedBy } from '../../testing/app.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Notification } from '../../notifications/contract.ts'
import type { AppealCase, CampaignTester, WaitingAppeal } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const { decide, campaignOf, heldFor, submitted, rejected, appealed, emailsAbout } = hearing(t, developer, admin)

// So many granted appeals would need an admin's consent to each further rejection (consent.test.ts).
beforeAll(() => admin.call('PATCH', '/admin/settings', { consentAfterOverturned: 100, consentOfLast: 100 }))

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

  test('who rejected the proof is not taken for the developer in what the developer reads of it', async () => {
    const made = [await submitted('By an admin 1'), await submitted('By an admin 2'), await submitted('By an admin 3')]
    for (const { id } of made)
      expect((await admin.call('POST', `/campaign-testers/${id}/reject`, rejection)).status).toBe(200)
    const [granted, upheld] = made
    for (const { tester, id } of [granted!, upheld!]) await appeal(tester, id)
    await decide(granted!.id, 'VERIFY')
    await decide(upheld!.id, 'UPHOLD')
    await t.advance(73)
    const told = (await developer.call<Notification[]>('GET', '/users/me/notifications?limit=100')).body.filter(
      ({ subject }) => /appeal|upheld|final/.test(subject) && subject.includes(': By an admin'),
    )
    expect(told.map(({ subject }) => subject.split(': ')[0]!).toSorted()).toEqual([
      'A rejection is final',
      'A rejection was upheld',
      'Tester 1 appealed',
      'Tester 1 appealed',
      'Tester 1’s appeal was granted',
    ])
    for (const { text } of told) expect(text).not.toContain('your rejection')
  })

  test('who grants it pays the tester in full and the platform its fee; both sides see the note', async () => {
    const { id, tester, campaignId } = await appealed('Granted')
    const { status, body } = await decide(id, 'VERIFY')
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'VERIFIED', payoutAmountCents: 1000, appeal: { outcome: 'VERIFIED', note } })
    expect(await own(tester, id)).toMatchObject({ status: 'VERIFIED', appeal: { note }, review: { bySilence: false } })
    const { body: seen } = await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)
    expect(seen[0]?.appeal?.note).toBe(note)
    const { body: report } = await developer.call<{ testers: object[] }>('GET', `/campaigns/${campaignId}/report`)
    expect(report.testers).toMatchObject([{ status: 'VERIFIED', byPlatform: false }])
    expect(await balanceOf(tester)).toBe(1000)
    expect(await heldFor(campaignId)).toEqual({ pay: 0, fee: 0 })
    expect((await campaignOf(campaignId))._count).toEqual({ campaignTesters: 1, joined: 1, verified: 1 })
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
    const verified = replies.findIndex(({ status }) => status === 200) % 2 === 0
    expect((await own(tester, id)).status).toBe(verified ? 'VERIFIED' : 'REJECTED')
    expect(await balanceOf(tester)).toBe(verified ? 1000 : 0)
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

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
