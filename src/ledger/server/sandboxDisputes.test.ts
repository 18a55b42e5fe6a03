/** Disputes by the sandbox's test values, and the one whose end an admin records. */
import { afterEach, describe, expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { Needs } from '../../dashboards/contract.ts'
import { liveCampaign } from '../../testing/app.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { brokenChecks, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Dispute, DisputeCase } from '../disputesContract.ts'
import { compareWithProvider } from './books.ts'
import { recordDisputeLost } from './sandbox.ts'
import { sandboxMovements } from './sandboxFile.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const { campaignOf, payingBy, paymentOf, settled } = disputesIn(t, admin)

describe('the sandbox', () => {
  const paidBy = async (method: string) => {
    const developer = await payingBy(method)
    const { id } = await liveCampaign(developer, admin, { durationDays: 30 })
    await t.advance(25)
    return { developer, id }
  }

  test.each([
    ['disputewon', null, 0],
    ['disputelost', expect.any(String), 3450],
  ])('disputes a charge by %s after a day, and reports the outcome a week later', async (method, lostAt, taken) => {
    const { developer, id } = await paidBy(`${method}+me@example.test`)
    expect((await campaignOf(developer, id)).dispute).toMatchObject({ since: expect.any(String), lostAt: null })
    await t.advance(24 * 7)
    const after = (await campaignOf(developer, id)).dispute
    expect(after && { lostAt: after.lostAt, since: after.since }).toEqual(
      lostAt === null ? null : { lostAt, since: null },
    )
    const { id: charge } = await paymentOf(id)
    const all = [...(await (await sandboxMovements()).all()).values()]
    const lost = all.filter(({ kind, of }) => kind === 'DISPUTE' && of === charge)
    expect(lost.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(taken)
  })

  test('takes nothing for a won dispute, even if news of a loss comes later', async () => {
    const { developer, id } = await paidBy('disputewon+late@example.test')
    await t.advance(24 * 7)
    const { id: chargeId } = await paymentOf(id)
    const news = { chargeId, amountCents: 3450, status: 'LOST', at: clock.now() }
    await t.look(
      `insert into provider_events (provider, event_id, type, payload, received_at, due_at)
        values ('sandbox', 'late-news', 'sandbox.dispute', $1, $2, $2)`,
      [news, clock.now()],
    )
    await t.advance(1)
    expect((await campaignOf(developer, id)).dispute).toBeNull()
    const all = [...(await (await sandboxMovements()).all()).values()]
    expect(all.filter(({ kind, of }) => kind === 'DISPUTE' && of === chargeId)).toEqual([])
  })

  test('leaves a dispute by the test value “dispute” open', async () => {
    const { developer, id } = await paidBy('dispute@example.test')
    await t.advance(24 * 14)
    expect((await campaignOf(developer, id)).dispute).toMatchObject({ since: expect.any(String), lostAt: null })
  })

  test('leaves the outcome of a dispute by the test value “dispute” to an admin, who records it once', async () => {
    const { developer, id } = await paidBy('dispute+case@example.test')
    const { body: queue } = await admin.call<Dispute[]>('GET', '/admin/disputes?status=OPEN&limit=100')
    const found = queue.find(({ campaign }) => campaign.id === id)!
    expect(found).toMatchObject({ amountCents: 3450, status: 'OPEN', developer: { id: developer.user.id } })
    expect([found.evidenceDueAt, found.closedAt]).toEqual([expect.any(String), null])
    const { body } = await admin.call<Needs>('GET', '/dashboard/needs')
    expect(body.needs.find(({ kind }) => kind === 'DISPUTES')).toMatchObject({ dueAt: found.evidenceDueAt })
    // A date for evidence that has passed calls nobody any more.
    const dueAt = async (due: string) => {
      await t.look(`update disputes set evidence_due_at = $2 where status = 'OPEN' and id = $1`, [found.id, due])
      await t.look(`update disputes set evidence_due_at = null where status = 'OPEN' and id <> $1`, [found.id])
      const needs = (await admin.call<Needs>('GET', '/dashboard/needs')).body.needs
      return needs.find(({ kind }) => kind === 'DISPUTES')!.dueAt
    }
    expect(await dueAt(hoursAfter(clock.now(), -1))).toBeNull()
    expect(await dueAt(found.evidenceDueAt!)).toBe(found.evidenceDueAt)
    const at = `/admin/disputes/${found.id}`
    const noted = await admin.call<DisputeCase>('PUT', `${at}/note`, { note: 'The bank was asked.' })
    expect(noted.body).toMatchObject({ note: 'The bank was asked.', decidable: true, evidence: { testers: 0 } })
    const lost = { outcome: 'LOST', note: 'The bank has it.' }
    const [one, two] = await Promise.all([
      admin.call<DisputeCase>('POST', `${at}/decide`, lost, 'one'),
      admin.call<DisputeCase>('POST', `${at}/decide`, { ...lost, outcome: 'WON' }, 'two'),
    ])
    expect(tally([one, two])).toEqual({ 200: 1, 409: 1 })
    await settled()
    const { body: decided } = await admin.call<DisputeCase>('GET', at)
    expect(decided).toMatchObject({
      status: one.status === 200 ? 'LOST' : 'WON',
      decidable: false,
      closedAt: expect.any(String),
    })
    const all = [...(await (await sandboxMovements()).all()).values()]
    const { id: charge } = await paymentOf(id)
    expect(all.filter(({ kind, of }) => kind === 'DISPUTE' && of === charge)).toHaveLength(one.status === 200 ? 1 : 0)
    const { body: log } = await admin.call<{ data: { action: string }[] }>('GET', '/admin/audit-log?limit=2')
    expect(log.data.map(({ action }) => action)).toEqual(['dispute.decide', 'dispute.note'])
    expect(
      (await admin.call<Dispute[]>('GET', '/admin/disputes?status=OPEN&limit=100')).body.map(left => left.id),
    ).not.toContain(found.id)
  })

  test('lets a dispute only be lost if it was told of the loss before the server died', async () => {
    const { id } = await paidBy('dispute+died@example.test')
    const { body: queue } = await admin.call<Dispute[]>('GET', '/admin/disputes?status=OPEN&limit=100')
    const found = queue.find(({ campaign }) => campaign.id === id)!
    await recordDisputeLost((await paymentOf(id)).id, found.amountCents)
    const decide = (outcome: string) =>
      admin.call('POST', `/admin/disputes/${found.id}/decide`, { outcome, note: 'The bank has it.' })
    expect(await decide('WON')).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect((await decide('LOST')).status).toBe(200)
    await settled()
    expect((await compareWithProvider({ inFull: true })).offCents).toBe(0)
  })

  test('lets no admin decide if a test value has announced the outcome', async () => {
    const { id } = await paidBy('disputewon+case@example.test')
    const { body: queue } = await admin.call<Dispute[]>('GET', '/admin/disputes?status=OPEN&limit=100')
    const found = queue.find(({ campaign }) => campaign.id === id)!
    const refused = await admin.call('POST', `/admin/disputes/${found.id}/decide`, { outcome: 'LOST', note: 'No.' })
    expect(refused.status).toBe(409)
  })
})
