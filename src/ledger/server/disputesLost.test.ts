/** The campaign's leftover money covers what the bank took, and no cent is given back twice (cover_disputes, settle_disputed). */
import { afterEach, describe, expect, test } from 'vitest'
import { draftOf, fundedBy, joinedBy, liveCampaign, password } from '../../testing/app.ts'
import { balanceOf } from '../../testing/appeals.ts'
import { begunCharge } from '../../testing/begunCharge.ts'
import { disputesIn, join, linesOf, toldOf } from '../../testing/disputes.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { settleDisputes } from './disputes.ts'
import { carryOutCharge } from './ledger.ts'
import { sandboxMovements } from './sandboxFile.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const { begun, campaignOf, news, payingBy, paymentOf, settled, withProof } = disputesIn(t, admin)

describe('a lost dispute', () => {
  test('closes free seats, pays testers inside, and covers what the bank took with the remaining money', async () => {
    const { developer, id } = await begun()
    const { person, participationId } = await withProof(id)
    await news(id, 'OPEN')
    await news(id, 'LOST')
    expect((await join(await t.signUp('TESTER'), id)).status).toBe(409)
    await settled()
    // Two seats of 1000 and their fee cover 2300 of the 3450.
    expect(await campaignOf(developer, id)).toMatchObject({
      status: 'LIVE',
      closedSeats: 2,
      fundedCents: 1000,
      feeCents: 150,
    })
    expect((await developer.call('POST', `/campaign-testers/${participationId}/verify`)).status).toBe(200)
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'COMPLETED' })
    expect(await balanceOf(person)).toBe(1000)
    expect(await linesOf(developer)).toEqual(['CREDIT COMPLETED 2300', 'DEBIT COMPLETED 3000', 'FEE COMPLETED 450'])
    expect(await t.look(`select count(*)::int as refunds from refunds where campaign_id = $1`, [id])).toEqual([
      { refunds: 0 },
    ])
  })

  test('about part of a payment is covered first, and only the rest is refunded', async () => {
    const { developer, id } = await begun()
    await news(id, 'OPEN', id, 1000)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    await news(id, 'LOST', id, 1000)
    await settled()
    await settled()
    expect(await linesOf(developer)).toEqual([
      'CREDIT COMPLETED 1000',
      'CREDIT COMPLETED 2450',
      'DEBIT COMPLETED 3000',
      'FEE COMPLETED 450',
    ])
  })

  test('ends a campaign that has not started', async () => {
    const developer = await payingBy(null)
    const { id } = await draftOf(developer)
    await developer.call('POST', `/campaigns/${id}/fund`, { amountCents: 3450 })
    await news(id, 'LOST')
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'CANCELLED', fundedCents: 0, feeCents: 0 })
    expect(await linesOf(developer)).toEqual(['CREDIT COMPLETED 3450', 'DEBIT COMPLETED 3000', 'FEE COMPLETED 450'])
  })

  test('about a campaign that has not started tells the owner that it is cancelled, and mentions no testers who continue', async () => {
    const developer = await payingBy(null)
    const { id } = await fundedBy(developer)
    await news(id, 'OPEN')
    await news(id, 'LOST')
    await settled()
    const [text] = await toldOf(developer, /took the payment back/)
    expect(text).toContain('it is cancelled')
    expect(text).not.toContain('testers')
    expect((await toldOf(admin, /A dispute was lost/))[0]).not.toContain('current testers')
  })

  test('tells testers on the bench that nobody else gets in, and not that the campaign has ended', async () => {
    const { developer, id } = await begun({ testersRequired: 1, durationDays: 14 })
    const [inside, waiting] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    await joinedBy(inside, id)
    await join(waiting, id, true)
    await news(id, 'LOST')
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'LIVE' })
    expect(await toldOf(waiting, /No more seats/)).toEqual([
      'The campaign “Try our notes app” accepts no more testers, so it has no seat for you anymore. Thank you for waiting; other campaigns are open.',
    ])
  })

  test('is not followed by a promise to refund the remaining money, neither when the campaign ends nor for a seat', async () => {
    const [cancelled, completed] = [await begun(), await begun({ testersRequired: 1 })]
    for (const { id } of [cancelled, completed]) await joinedBy(await t.signUp('TESTER'), id)
    for (const { id } of [cancelled, completed]) await news(id, 'LOST')
    await admin.call('POST', `/campaigns/${cancelled.id}/cancel`)
    // Nobody checks in, so the second campaign loses its only tester, and has no other seat.
    await t.advance(73)
    await settled()
    expect(await campaignOf(completed.developer, completed.id)).toMatchObject({ status: 'COMPLETED' })
    const ends = [
      ...(await toldOf(cancelled.developer, /^Cancelled/)),
      ...(await toldOf(completed.developer, /^Completed/)),
      ...(await toldOf(completed.developer, /no longer testing|seat is open/)),
    ]
    expect(ends).toHaveLength(3)
    for (const text of ends) {
      expect(text).toContain('first covers what your bank took back')
      expect(text).not.toMatch(/open to another tester|refund the rest|refund any/)
    }
  })

  test('closes a seat that becomes free later, too', async () => {
    const { developer, id } = await begun({ testersRequired: 2, durationDays: 14 })
    const tester = await t.signUp('TESTER')
    const { id: participationId } = await joinedBy(tester, id)
    await news(id, 'LOST')
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ closedSeats: 1 })
    expect((await tester.call('POST', `/testers/campaign-testers/${participationId}/leave`)).status).toBe(200)
    await settleDisputes.run({})
    expect(await campaignOf(developer, id)).toMatchObject({ closedSeats: 2 })
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'COMPLETED', closedSeats: 2, fundedCents: 0 })
  })

  test('is not refunded as well when the campaign is cancelled afterwards', async () => {
    const { developer, id } = await begun()
    await news(id, 'OPEN')
    await news(id, 'LOST')
    await developer.call('POST', `/campaigns/${id}/cancel`)
    await settled()
    await settled()
    const all = [...(await (await sandboxMovements()).all()).values()]
    const { id: charge } = await paymentOf(id)
    expect(all.filter(({ kind, of }) => kind === 'REFUND' && of === charge)).toEqual([])
  })
})

describe('a developer who owes for a lost dispute', () => {
  test('cannot pay for anything new or delete the account until the bank has returned the payment', async () => {
    const { developer, id } = await begun({ testersRequired: 2 })
    const { participationId } = await withProof(id)
    expect((await developer.call('POST', `/campaign-testers/${participationId}/verify`)).status).toBe(200)
    await news(id, 'OPEN')
    await news(id, 'LOST', id, undefined, null, 1)
    await settled()
    const draft = await draftOf(developer)
    const fund = () =>
      developer.call<{ message: string }>('POST', `/campaigns/${draft.id}/fund`, {
        amountCents: draft.outstandingCents,
      })
    const sentence = 'You still owe $11.50 for a payment that your bank took back.'
    expect(await fund()).toMatchObject({
      status: 409,
      body: {
        code: 'WRONG_STATE',
        message: `${sentence} You can make new payments once that is settled: ask your bank to return it, or contact us to pay it another way. What the disputed campaign does not need is deducted from it.`,
      },
    })
    expect((await campaignOf(developer, draft.id)).owedCents).toBe(1150)
    expect((await campaignOf(admin, draft.id)).owedCents).toBeUndefined()
    const [begin] = await t.look(
      `select begin_charge(gen_random_uuid(), 'key', $1, $2, $3, 'test', 'card', now()) as outcome`,
      [draft.id, developer.user.id, draft.outstandingCents],
    )
    expect(begin).toEqual({ outcome: 'OWES' })
    await t.advance(200)
    const leave = () => developer.call<{ message: string }>('DELETE', '/users/me', { password })
    expect(await leave()).toMatchObject({
      status: 409,
      body: {
        message:
          'Your account cannot be deleted yet. You owe $11.50 for a payment that your bank took back: ask your bank to return it, or contact us to pay it another way.',
      },
    })
    await news(id, 'WON', id, undefined, null, 2)
    expect((await fund()).status).toBe(200)
  })

  test('gets back a payment that was begun before the loss, completely and with the reason', async () => {
    const { developer, id } = await begun()
    await withProof(id)
    const [draft, running] = [await draftOf(developer), (await liveCampaign(developer, admin)).id]
    await t.look('update campaigns set renewal_asked_at = now() where id = $1', [running])
    const [charge, renewal] = [
      (await begunCharge(developer, draft.id, 3450)).subjectId,
      (await begunCharge(developer, running, 3450)).subjectId,
    ]
    await news(id, 'LOST')
    const why = {
      code: 'WRONG_STATE',
      message:
        'You owe $34.50 for a payment that your bank took back. Your payment will be refunded to your payment method.',
    }
    expect(await carryOutCharge(charge)).toMatchObject(why)
    expect(await carryOutCharge(renewal)).toMatchObject(why)
    expect(await campaignOf(developer, draft.id)).toMatchObject({ status: 'DRAFT', fundedCents: 0 })
    await t.advance(1)
    const back = `select r.amount_cents::int as cents, r.status from refunds r join refund_parts p on p.refund_id = r.id where p.payment_id = $1`
    for (const paid of [charge, renewal])
      expect(await t.look(back, [paid])).toEqual([{ cents: 3450, status: 'COMPLETED' }])
    expect(await campaignOf(developer, draft.id)).toMatchObject({ status: 'DRAFT', owedCents: expect.any(Number) })
  })

  test('is told by email why a payment that was on its way goes back', async () => {
    const { developer, id } = await begun()
    await withProof(id)
    const draft = await draftOf(developer)
    await developer.call('PATCH', '/users/me', { paymentMethod: 'slow@example.test', currentPassword: password })
    expect((await developer.call('POST', `/campaigns/${draft.id}/fund`, { amountCents: 3450 })).status).toBe(200)
    await news(id, 'LOST')
    await t.advance(1)
    const told = await t.look<{ text: string }>(
      `select text from notifications where about_id = $1 and kind = 'PAYMENT_RETURNED'`,
      [draft.id],
    )
    expect(told).toEqual([
      {
        text: `Your payment of $34.50 for “${draft.title}” went through while you owe $11.50 for a payment that your bank took back, so we refund all of it to you. The campaign is a draft: open it to see what it still needs.`,
      },
    ])
  })
})
