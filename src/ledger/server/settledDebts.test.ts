/** What a developer owes for a lost dispute is settled outside of the product, and given back if it is not owed after all. */
import { afterEach, describe, expect, test } from 'vitest'
import type { PersonalData } from '../../accounts/contract.ts'
import type { Needs } from '../../dashboards/contract.ts'
import type { Notification } from '../../notifications/contract.ts'
import { draftOf, joinedBy, password, type Person } from '../../testing/app.ts'
import { disputedRefundsIn } from '../../testing/disputedRefunds.ts'
import { linesOf, toldOf } from '../../testing/disputes.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { stuckPart, stuckRefundsIn } from '../../testing/stuckRefund.ts'
import type { Dispute, DisputeCase } from '../disputesContract.ts'
import { settleDisputes } from './disputes.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const { setLimit } = stuckRefundsIn(t, admin)
const { begun, campaignOf, cancelled, news, partsOf, settled, withProof } = disputedRefundsIn(t, admin)

afterEach(async () => expect(await brokenChecks()).toEqual([]))

const note = 'Bank transfer 2026-11-30 0815.'

const disputeOf = async (campaignId: string, reference = campaignId): Promise<string> =>
  (
    await t.look<{ id: string }>('select id from disputes where campaign_id = $1 and reference = $2', [
      campaignId,
      reference,
    ])
  )[0]!.id

const caseOf = async (id: string) => (await admin.call<DisputeCase>('GET', `/admin/disputes/${id}`)).body

type Answer = DisputeCase & { code?: string; message?: string; fields?: Record<string, string> }
const settle = (id: string, amountCents: number, key?: string) =>
  admin.call<Answer>('POST', `/admin/disputes/${id}/settle`, { amountCents, note }, key)
const waive = (id: string, amountCents: number) =>
  admin.call<Answer>('POST', `/admin/disputes/${id}/waive`, { amountCents, note })
const giveBack = (id: string, amountCents: number, key?: string) =>
  admin.call<Answer>('POST', `/admin/disputes/${id}/give-back`, { amountCents, note: 'Sent back.' }, key)

const booked = async (campaignId: string) =>
  Object.fromEntries(
    (
      await t.look<{ kind: string; cents: number }>(
        `select kind, sum(case a.id when credit_account_id then amount_cents else -amount_cents end)::int as cents
          from accounts a join transfers on a.id in (debit_account_id, credit_account_id)
          where kind in ('DISPUTES_RECEIVABLE', 'PAID_OUTSIDE') and campaign_id = $1 group by kind`,
        [campaignId],
      )
    ).map(({ kind, cents }) => [kind, cents]),
  )

const owedList = async () =>
  (await admin.call<Dispute[]>('GET', '/admin/disputes?status=OWED&limit=100')).body.map(({ id }) => id)

const needed = async () =>
  (await admin.call<Needs>('GET', '/dashboard/needs')).body.needs.find(({ kind }) => kind === 'DEBTS_TO_GIVE_BACK')

/** A tester whose seat is free once they leave. */
const leaving = async (campaignId: string) => {
  const person = await t.signUp('TESTER')
  return { person, participationId: (await joinedBy(person, campaignId)).id }
}

/** A tester was paid 1000, of which the bank has taken back the payment: 1150 are owed. */
const owing = async (): Promise<{ developer: Person; campaignId: string; id: string }> => {
  const { developer, id: campaignId } = await begun({ testersRequired: 2 })
  const { participationId } = await withProof(campaignId)
  await developer.call('POST', `/campaign-testers/${participationId}/verify`)
  await news(campaignId, 'LOST', campaignId, undefined, null, 1)
  await settled()
  return { developer, campaignId, id: await disputeOf(campaignId) }
}

describe('a debt for a lost dispute', () => {
  test('is settled by an admin: the developer is told, pays for campaigns again, and can delete the account', async () => {
    const { developer, campaignId, id } = await owing()
    const draft = await draftOf(developer)
    const fund = () => developer.call('POST', `/campaigns/${draft.id}/fund`, { amountCents: draft.outstandingCents })
    expect((await fund()).status).toBe(409)
    expect(await caseOf(id)).toMatchObject({ owedCents: 1150, settleable: true, heldCents: 0, settlements: [] })
    expect(await owedList()).toContain(id)

    expect((await settle(id, 1150)).body).toMatchObject({
      owedCents: 0,
      settledCents: 1150,
      settleable: false,
      settlements: [{ kind: 'PAID', amountCents: 1150, note, recordedBy: { id: admin.user.id } }],
    })
    expect(await booked(campaignId)).toEqual({ DISPUTES_RECEIVABLE: 0, PAID_OUTSIDE: -1150 })
    expect(await owedList()).not.toContain(id)
    expect((await toldOf(developer, /Debt settled: \$11\.50/))[0]).toMatch(/You can pay for campaigns again\.$/)
    expect((await campaignOf(developer, draft.id)).owedCents).toBeUndefined()
    expect((await fund()).status).toBe(200)
    await admin.call('POST', `/admin/campaigns/${draft.id}/reject`, { reason: 'Not this one.' })
    await developer.call('POST', `/campaigns/${draft.id}/cancel`)
    await settled()
    await t.advance(60)
    expect((await developer.call('DELETE', '/users/me', { password })).status).toBe(204)
    // What admins wrote about a person goes with the account; the amounts stay.
    expect((await caseOf(id)).settlements).toMatchObject([{ amountCents: 1150, note: null }])
  })

  test('is settled in full or not at all, and only while it is owed', async () => {
    const { campaignId, id } = await owing()
    const wrong = await settle(id, 1149)
    expect(wrong).toMatchObject({ status: 422, body: { code: 'WRONG_AMOUNT' } })
    expect(wrong.body.fields).toEqual({ amountCents: 'The amount must be the $11.50 (1150 cents) owed.' })
    expect(await giveBack(id, 1150)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect((await settle(id, 1150)).status).toBe(200)
    expect(await settle(id, 1150)).toMatchObject({
      status: 409,
      body: { code: 'WRONG_STATE', message: 'The developer owes nothing for this dispute.' },
    })
    expect(await booked(campaignId)).toEqual({ DISPUTES_RECEIVABLE: 0, PAID_OUTSIDE: -1150 })
  })

  test('is settled once, even if two admins or a repeated request try at the same moment', async () => {
    const { campaignId, id } = await owing()
    const [key, other] = [crypto.randomUUID(), crypto.randomUUID()]
    const answers = await Promise.all([key, key, key, other].map(each => settle(id, 1150, each)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter(status => status === 200).length).toBeGreaterThan(0)
    expect(await booked(campaignId)).toEqual({ DISPUTES_RECEIVABLE: 0, PAID_OUTSIDE: -1150 })
    expect((await caseOf(id)).settlements).toHaveLength(1)
  })

  test('is either settled or refused if the bank returns the payment at the same moment', async () => {
    const { campaignId, id } = await owing()
    const [{ status }] = await Promise.all([
      settle(id, 1150),
      news(campaignId, 'WON', campaignId, undefined, null, 2),
      settled(),
    ])
    expect([200, 409]).toContain(status)
    expect(await caseOf(id)).toMatchObject({ status: 'WON', owedCents: 0, giveBackCents: status === 200 ? 1150 : 0 })
    expect((await booked(campaignId))['PAID_OUTSIDE'] ?? 0).toBe(0)
    if (status === 200) await giveBack(id, 1150)
  })

  test('is not paid twice if a seat that becomes free covers it at the same moment', async () => {
    for (const end of [settle, waive]) {
      const { id: campaignId } = await begun({ testersRequired: 2 })
      const { person, participationId } = await leaving(campaignId)
      await news(campaignId, 'LOST', campaignId, undefined, null, 1)
      await settled()
      const id = await disputeOf(campaignId)
      expect(await caseOf(id)).toMatchObject({ owedCents: 1150, settleable: true })
      expect((await person.call('POST', `/testers/campaign-testers/${participationId}/leave`)).status).toBe(200)
      const [ended, other] = await Promise.all([
        end(id, 1150),
        settle(id, 1150),
        settleDisputes.run({}),
        settleDisputes.run({}),
      ])
      for (const { status } of [ended, other]) expect([200, 409, 422]).toContain(status)
      const { settlements, ...now } = await caseOf(id)
      const paid = settlements.some(({ kind }) => kind === 'PAID')
      // Whoever comes first: what covers it is given back, and what was waived is not.
      expect(now).toMatchObject({ coveredCents: 2300, settledCents: 0, owedCents: 0, giveBackCents: paid ? 1150 : 0 })
      expect(await booked(campaignId)).toMatchObject({ DISPUTES_RECEIVABLE: 0 })
      if (paid) expect((await giveBack(id, 1150)).status).toBe(200)
    }
  })

  test('is refused by the database too, whatever a caller has checked', async () => {
    const { campaignId, id } = await owing()
    const outcomeOf = async (name: string, dispute: string, cents: number) =>
      (
        await t.look<{ outcome: string }>(
          `select ${name}(gen_random_uuid(), $1, ${name === 'settle_debt' ? 'false,' : ''} $2, $3, $4, now()) as outcome`,
          [dispute, cents, note, admin.user.id],
        )
      )[0]!.outcome
    const both = ['settle_debt', 'give_back_settlement']
    for (const name of both) expect(await outcomeOf(name, campaignId, 1150)).toBe('NOT_FOUND')
    expect(await outcomeOf('give_back_settlement', id, 1150)).toBe('WRONG_STATE')
    expect(await outcomeOf('settle_debt', id, 1151)).toBe('WRONG_AMOUNT')
    expect(await outcomeOf('settle_debt', id, 1150)).toBe('OK')
    expect(await outcomeOf('settle_debt', id, 1150)).toBe('WRONG_STATE')
    await news(campaignId, 'WON', campaignId, undefined, null, 2)
    expect(await outcomeOf('settle_debt', id, 1150)).toBe('WRONG_STATE')
    expect(await outcomeOf('give_back_settlement', id, 1149)).toBe('WRONG_AMOUNT')
    expect(await outcomeOf('give_back_settlement', id, 1150)).toBe('OK')
  })

  test('is not settled before the campaign’s unused money has been deducted from it', async () => {
    const { id: campaignId } = await begun()
    await news(campaignId, 'LOST')
    const id = await disputeOf(campaignId)
    expect(await caseOf(id)).toMatchObject({ owedCents: 3450, settleable: false })
    expect(await settle(id, 3450)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(
      await t.look('select settle_debt(gen_random_uuid(), $1, false, 3450, $2, $3, now()) as outcome', [
        id,
        note,
        admin.user.id,
      ]),
    ).toEqual([{ outcome: 'WRONG_STATE' }])
    await settled()
    expect(await caseOf(id)).toMatchObject({ owedCents: 0, coveredCents: 3450 })
  })
})

describe('a settled debt', () => {
  test('is given back by the operator if the bank returns the payment, and a loss after that is owed again', async () => {
    const { campaignId, id } = await owing()
    await settle(id, 1150)
    expect(await needed()).toBeUndefined()
    await news(campaignId, 'WON', campaignId, undefined, null, 2)
    expect(await caseOf(id)).toMatchObject({ status: 'WON', owedCents: 0, settledCents: 0, giveBackCents: 1150 })
    expect(await booked(campaignId)).toEqual({ DISPUTES_RECEIVABLE: 0, PAID_OUTSIDE: 0 })
    expect(await owedList()).toContain(id)
    expect(await needed()).toMatchObject({ count: 1 })
    await settled()

    // What the campaign did not need was refunded meanwhile.
    await news(campaignId, 'LOST', campaignId, undefined, null, 3)
    await settled()
    expect(await caseOf(id)).toMatchObject({ owedCents: 2300, giveBackCents: 1150 })
    expect(await giveBack(id, 1000)).toMatchObject({ status: 422, body: { code: 'WRONG_AMOUNT' } })
    expect((await giveBack(id, 1150)).body).toMatchObject({ giveBackCents: 0, owedCents: 2300 })
    expect(await giveBack(id, 1150)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(await needed()).toBeUndefined()
    const { settlements } = (await settle(id, 2300)).body
    expect(settlements.map(({ kind }) => kind)).toEqual(['PAID', 'GIVEN_BACK', 'PAID'])
    await news(campaignId, 'WON', campaignId, undefined, null, 4)
    expect(await booked(campaignId)).toEqual({ DISPUTES_RECEIVABLE: 0, PAID_OUTSIDE: 0 })
    expect((await giveBack(id, 2300)).status).toBe(200)
  })

  test('keeps the developer’s account until it is given back, since nobody could be paid after that', async () => {
    const { developer, campaignId, id } = await owing()
    await settle(id, 1150)
    await news(campaignId, 'WON', campaignId, undefined, null, 2)
    await settled()
    await t.advance(60)
    const leave = () => developer.call<{ message?: string }>('DELETE', '/users/me', { password })
    expect((await leave()).body.message).toBe(
      'Your account cannot be deleted yet. Wait until the money on its way has arrived.',
    )
    await giveBack(id, 1150)
    expect((await leave()).status).toBe(204)
  })

  test('is given back as far as the campaign’s unused money covers it later', async () => {
    const { developer, id: campaignId } = await begun()
    const { participationId } = await withProof(campaignId)
    await news(campaignId, 'LOST')
    await settled()
    const id = await disputeOf(campaignId)
    // Two seats of three are closed; the third is under review.
    expect(await caseOf(id)).toMatchObject({ coveredCents: 2300, owedCents: 1150, heldCents: 1150 })
    await settle(id, 1150)
    expect(
      (
        await admin.call('POST', `/campaign-testers/${participationId}/reject`, {
          code: 'OTHER',
          reason: 'The proof speaks of another app than ours, with other screens.',
        })
      ).status,
    ).toBe(200)
    await t.advance(80)
    await settled()
    expect(await caseOf(id)).toMatchObject({ coveredCents: 3450, settledCents: 0, owedCents: 0, giveBackCents: 1150 })
    expect(await booked(campaignId)).toEqual({ DISPUTES_RECEIVABLE: 0, PAID_OUTSIDE: 0 })
    expect(await linesOf(developer)).toEqual([
      'CREDIT COMPLETED 1150',
      'CREDIT COMPLETED 2300',
      'DEBIT COMPLETED 3000',
      'FEE COMPLETED 450',
    ])
    await giveBack(id, 1150)
  })

  test('is given back as far as a refund is set off against it later', async () => {
    const campaignId = await cancelled()
    const partId = await stuckPart(t, campaignId)
    // An admin has recorded a payment by other means, so the bank's part of the refund is not set off yet.
    await setLimit(1500)
    await admin.call('POST', `/admin/stuck-refunds/${partId}/pay`, { amountCents: 3450, reference: 'SEPA 0815' })
    await news(campaignId, 'LOST', campaignId, 1200)
    await settled()
    const id = await disputeOf(campaignId)
    expect(await caseOf(id)).toMatchObject({ owedCents: 1200, setOffCents: 0 })
    await settle(id, 1200)
    await admin.call('POST', `/admin/stuck-refunds/${partId}/refuse`, { reason: 'It was not paid.' })
    await settled()
    expect(await caseOf(id)).toMatchObject({ setOffCents: 1200, settledCents: 0, owedCents: 0, giveBackCents: 1200 })
    expect(await partsOf(campaignId)).toContainEqual({ cents: 1200, status: 'COMPLETED', byBank: true })
    expect(await booked(campaignId)).toEqual({ DISPUTES_RECEIVABLE: 0, PAID_OUTSIDE: 0 })
    await giveBack(id, 1200)
  })
})

describe('a waived debt', () => {
  test('lets the developer pay for campaigns again, and leaves nothing to give back if the bank returns the payment', async () => {
    const { developer, campaignId, id } = await owing()
    expect(await waive(id, 1149)).toMatchObject({ status: 422, body: { code: 'WRONG_AMOUNT' } })
    expect((await waive(id, 1150)).body).toMatchObject({
      owedCents: 0,
      settledCents: 1150,
      waivedCents: 1150,
      settlements: [{ kind: 'WAIVED', amountCents: 1150, note }],
    })
    expect(await booked(campaignId)).toEqual({ DISPUTES_RECEIVABLE: 0, PAID_OUTSIDE: -1150 })
    expect((await toldOf(developer, /Debt waived: \$11\.50/))[0]).toMatch(
      /You do not have to pay the \$11\.50 that you owed for .+ You can pay for campaigns again\.$/,
    )
    const draft = await draftOf(developer)
    const paid = await developer.call('POST', `/campaigns/${draft.id}/fund`, { amountCents: draft.outstandingCents })
    expect(paid.status).toBe(200)

    await news(campaignId, 'WON', campaignId, undefined, null, 2)
    const returned = { settledCents: 0, waivedCents: 0, giveBackCents: 0 }
    expect(await caseOf(id)).toMatchObject({ status: 'WON', ...returned })
    expect(await booked(campaignId)).toEqual({ DISPUTES_RECEIVABLE: 0, PAID_OUTSIDE: 0 })
    expect(await needed()).toBeUndefined()
    await settled()

    // A loss after that may be settled in the other way.
    await news(campaignId, 'LOST', campaignId, undefined, null, 3)
    await settled()
    expect((await settle(id, 2300)).body).toMatchObject({ settledCents: 2300, waivedCents: 0 })
    await news(campaignId, 'WON', campaignId, undefined, null, 4)
    expect(await caseOf(id)).toMatchObject({ ...returned, giveBackCents: 2300 })
    expect((await giveBack(id, 2300)).status).toBe(200)
    expect((await toldOf(developer, /Money given back: \$23\.00/))[0]).toMatch(/We have given it back to you/)
  })

  test('stands for what the campaign’s unused money does not cover later', async () => {
    const { developer, id: campaignId } = await begun()
    const [paid, rejected] = [await withProof(campaignId), await withProof(campaignId)]
    await developer.call('POST', `/campaign-testers/${paid.participationId}/verify`)
    await news(campaignId, 'LOST')
    await settled()
    const id = await disputeOf(campaignId)
    expect((await waive(id, 2300)).status).toBe(200)
    const why = { code: 'OTHER', reason: 'The proof speaks of another app than ours, with other screens.' }
    await admin.call('POST', `/campaign-testers/${rejected.participationId}/reject`, why)
    await t.advance(80)
    await settled()
    const stands = { settledCents: 1150, waivedCents: 1150, owedCents: 0, giveBackCents: 0 }
    expect(await caseOf(id)).toMatchObject({ coveredCents: 2300, ...stands })
    expect(await booked(campaignId)).toEqual({ DISPUTES_RECEIVABLE: 0, PAID_OUTSIDE: -1150 })
    expect((await developer.call<PersonalData>('GET', '/users/me/export')).body.disputes).toMatchObject([
      { id, campaign_id: campaignId, status: 'LOST', covered_cents: 2300, waived_cents: 1150 },
    ])
  })
})

test('what a campaign does not need covers a debt that is still owed before one that was settled', async () => {
  const { developer, id: campaignId } = await begun()
  const [paid, rejected] = [await withProof(campaignId), await withProof(campaignId)]
  await developer.call('POST', `/campaign-testers/${paid.participationId}/verify`)
  await news(campaignId, 'LOST', `first of ${campaignId}`, 1800)
  await settled()
  const first = await disputeOf(campaignId, `first of ${campaignId}`)
  expect((await settle(first, 650)).status).toBe(200)
  await news(campaignId, 'LOST', `second of ${campaignId}`, 1650)
  await settled()
  const second = await disputeOf(campaignId, `second of ${campaignId}`)
  expect(await caseOf(second)).toMatchObject({ owedCents: 1650, heldCents: 1150 })

  const why = { code: 'OTHER', reason: 'The proof speaks of another app than ours, with other screens.' }
  expect((await admin.call('POST', `/campaign-testers/${rejected.participationId}/reject`, why)).status).toBe(200)
  await t.advance(80)
  await settled()
  expect(await caseOf(first)).toMatchObject({ settledCents: 650, giveBackCents: 0 })
  expect(await caseOf(second)).toMatchObject({ coveredCents: 1150, owedCents: 500 })
})

test('a refund that the bank has paid is set off against a debt that is still owed before one that was settled', async () => {
  const { developer, id: campaignId } = await begun()
  const { participationId } = await withProof(campaignId)
  await developer.call('POST', `/campaign-testers/${participationId}/verify`)
  await developer.call('POST', `/campaigns/${campaignId}/cancel`)
  const partId = await stuckPart(t, campaignId)
  // An admin has recorded a payment by other means, so nothing is set off yet.
  await setLimit(1500)
  await admin.call('POST', `/admin/stuck-refunds/${partId}/pay`, { amountCents: 2300, reference: 'SEPA 0815' })
  const [settledOne, owedOne] = [`settled of ${campaignId}`, `owed of ${campaignId}`]
  await news(campaignId, 'LOST', settledOne, 1200)
  await settled()
  expect((await settle(await disputeOf(campaignId, settledOne), 1200)).status).toBe(200)
  await news(campaignId, 'LOST', owedOne, 1500)
  await settled()
  await admin.call('POST', `/admin/stuck-refunds/${partId}/refuse`, { reason: 'It was not paid.' })
  await settled()
  // With the refund, the developer would get 1550 more back than they paid.
  expect(await caseOf(await disputeOf(campaignId, owedOne))).toMatchObject({ setOffCents: 1500, owedCents: 0 })
  expect(await caseOf(await disputeOf(campaignId, settledOne))).toMatchObject({ setOffCents: 50, giveBackCents: 50 })
})

test('a developer with two debts is told what is still owed', async () => {
  const { developer, campaignId, id } = await owing()
  const draft = await campaignOf(developer, campaignId)
  expect(draft.status).toBe('COMPLETED')
  await t.look(
    `insert into disputes (id, provider, reference, payment_id, campaign_id, amount_cents, reason, status, opened_at, closed_at, recorded_at)
      select gen_random_uuid(), 'test', 'other-' || id, payment_id, campaign_id, 200, reason, 'LOST', opened_at, closed_at, recorded_at
      from disputes where id = $1`,
    [id],
  )
  await settle(id, 1150)
  const told = (await developer.call<Notification[]>('GET', '/users/me/notifications')).body
  expect(told.find(({ subject }) => subject === 'Debt settled: $11.50')?.text).toMatch(
    /You still owe \$2\.00 for other payments\.$/,
  )
  await t.look(`delete from disputes where reference = 'other-' || $1`, [id])
})
