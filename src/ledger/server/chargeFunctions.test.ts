/**
 * What the functions of a charge and its refund do step by step, and what each writes: begin_charge, settle_charge, end_charges,
 * settle_refund_part and return_refund_part. Every transaction is rolled back, because no provider has moved any money.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { draftOf } from '../../testing/app.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { held, lines, moves, platform } from '../../testing/readings.ts'
import { type Beside, takenBackIn } from '../../testing/takenBack.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')

const takenBack = (work: (beside: Beside) => Promise<void>) => takenBackIn(t, work)

describe('a charge', () => {
  const charge = '01900000-0000-7000-8000-000000000002'
  const refund = '01900000-0000-7000-8000-000000000003'
  const begin = `begin_charge('${charge}', 'key-of-it', $1, $2, 3450, 'test', 'card', now())`
  const settle = (answer: string, failure = 'null', fee = 0) =>
    `settle_charge('${charge}', '${answer}', ${failure}, ${fee}, '${refund}', now())`
  const state = `select status, ended_at is not null as ended from charges where id = '${charge}'`

  test('that is paid fills the escrow, books the provider’s fee, and awaits approval; once', async () => {
    const { id } = await draftOf(developer)
    await takenBack(async ({ one, rows }) => {
      expect(await one(begin, [id, developer.user.id])).toBe('OK')
      expect(await one(settle('PAID', 'null', 130))).toBe('OK')
      for (const answer of ['PAID', 'REFUSED', 'EXPIRED']) expect(await one(settle(answer))).toBe('WRONG_STATE')
      expect(await one(held('CAMPAIGN_ESCROW'), [id])).toBe(3000)
      expect(await one(held('CAMPAIGN_FEE'), [id])).toBe(450)
      expect(await rows(moves, [charge])).toEqual([
        { key: 'charge-pay', phase: 'PENDING', from: 'PROVIDER_CASH', to: 'PAYMENTS_IN_TRANSIT', cents: 3000 },
        { key: 'charge-fee', phase: 'PENDING', from: 'PROVIDER_CASH', to: 'PAYMENTS_IN_TRANSIT', cents: 450 },
        { key: 'provider-fee', phase: 'SINGLE', from: 'PROVIDER_FEES', to: 'PROVIDER_CASH', cents: 130 },
        { key: 'fund-pay', phase: 'POST', from: 'PAYMENTS_IN_TRANSIT', to: 'CAMPAIGN_ESCROW', cents: 3000 },
        { key: 'fund-fee', phase: 'POST', from: 'PAYMENTS_IN_TRANSIT', to: 'CAMPAIGN_FEE', cents: 450 },
      ])
      expect(
        await rows(
          `select status, funded_cents::int as pay, fee_cents::int as fee, submitted_at is null as draft,
            extract(day from escrow_due_at - escrow_since)::int as days from campaigns where id = $1`,
          [id],
        ),
      ).toEqual([{ status: 'PENDING_APPROVAL', pay: 3000, fee: 450, draft: false, days: 80 }])
      expect(await rows('select status, reason from provider_calls where subject_id = $1', [charge])).toEqual([
        { status: 'DONE', reason: null },
      ])
      expect(await rows('select status, provider_fee_cents::int as fee from payments where id = $1', [charge])).toEqual(
        [{ status: 'COMPLETED', fee: 130 }],
      )
    })
  })

  test('that is declined leaves the draft as it was, with a line that says so; one that nobody pays leaves no line', async () => {
    const { id } = await draftOf(developer)
    for (const [answer, failure, status, reason] of [
      ['REFUSED', `'Declined.'`, 'FAILED', 'Declined.'],
      ['EXPIRED', 'null', 'CANCELLED', 'Nothing was paid in time.'],
    ] as const)
      await takenBack(async ({ one, rows }) => {
        await one(begin, [id, developer.user.id])
        expect(await one(settle(answer, failure))).toBe('OK')
        expect(await rows(state)).toEqual([{ status, ended: false }])
        expect(await rows('select status, reason from provider_calls where subject_id = $1', [charge])).toEqual([
          { status: 'REFUSED', reason },
        ])
        expect(
          (await rows<{ key: string; phase: string }>(moves, [charge])).map(({ key, phase }) => `${key} ${phase}`),
        ).toEqual(['charge-pay PENDING', 'charge-fee PENDING', 'charge-pay-void VOID', 'charge-fee-void VOID'])
        const failed = answer === 'REFUSED' ? [{ status: 'FAILED', why: 'Declined.', cents: 3450 }] : []
        expect(
          await rows('select status, failure_reason as why, amount_cents::int as cents from payments where id = $1', [
            charge,
          ]),
        ).toEqual(failed)
        expect(
          (await rows<{ description: string }>(lines, [developer.user.id])).filter(
            ({ description }) => description === 'Declined payment',
          ),
        ).toHaveLength(failed.length)
        expect(await rows('select status from campaigns where id = $1', [id])).toEqual([{ status: 'DRAFT' }])
        // Another charge may begin now.
        expect(
          await one(`begin_charge(gen_random_uuid(), 'next', $1, $2, 3450, 'test', 'card', now())`, [
            id,
            developer.user.id,
          ]),
        ).toBe('OK')
      })
  })

  test('end_charges: a charge that was ended or given up and is paid after all goes back completely', async () => {
    const { id } = await draftOf(developer)
    const other = await draftOf(developer)
    for (const givesUp of [false, true])
      await takenBack(async ({ one, rows }) => {
        await one(begin, [id, developer.user.id])
        await one(`begin_charge(gen_random_uuid(), 'other', $1, $2, 3450, 'test', 'card', now())`, [
          other.id,
          developer.user.id,
        ])
        if (givesUp) expect(await one(settle('EXPIRED'))).toBe('OK')
        else {
          expect(await one('end_charges($1, now())', [id])).toEqual([charge])
          expect(await one('end_charges($1, now())', [id])).toEqual([])
          expect(await rows(state)).toEqual([{ status: 'PENDING', ended: true }])
          expect(
            await one(`begin_charge(gen_random_uuid(), 'next', $1, $2, 3450, 'test', 'card', now())`, [
              id,
              developer.user.id,
            ]),
          ).toBe('OK')
        }
        expect(await one(settle('PAID'))).toBe('RETURNED')
        expect(await one(settle('PAID'))).toBe('WRONG_STATE')
        expect(await rows(state)).toEqual([{ status: 'RETURNED', ended: !givesUp }])
        expect(await one(held('CAMPAIGN_ESCROW'), [id])).toBe(null)
        expect(await rows('select amount_cents::int as cents, status from refunds where id = $1', [refund])).toEqual([
          { cents: 3450, status: 'PENDING' },
        ])
        expect(
          await rows(
            'select payment_id as of, amount_cents::int as cents, counterparty as to from refund_parts where refund_id = $1',
            [refund],
          ),
        ).toEqual([{ of: charge, cents: 3450, to: 'card' }])
        expect(await rows('select status from campaigns where id = $1', [id])).toEqual([{ status: 'DRAFT' }])
        expect((await rows(lines, [developer.user.id])).slice(-3)).toEqual([
          { type: 'DEBIT', status: 'COMPLETED', cents: 3000, description: 'Testers’ pay' },
          { type: 'FEE', status: 'COMPLETED', cents: 450, description: 'Platform fee' },
          { type: 'CREDIT', status: 'PENDING', cents: 3450, description: 'Refund' },
        ])
        // Its refund can be told apart from other attempts.
        const [part] = await rows<{ id: string }>('select id from refund_parts where refund_id = $1', [refund])
        expect(await one(`return_refund_part($1, 're_1', 'Closed.', now())`, [part!.id])).toBe('WRONG_STATE')
        await rows(`update provider_calls set reference = 're_1' where subject_id = $1`, [part!.id])
        expect(await one('settle_refund_part($1, now())', [part!.id])).toBe('OK')
        expect(await one('settle_refund_part($1, now())', [part!.id])).toBe('WRONG_STATE')
        expect(await rows('select status from refunds where id = $1', [refund])).toEqual([{ status: 'COMPLETED' }])
        const owed = await one<number>(platform('REFUNDS_OWED'))
        expect(await one(`return_refund_part($1, 're_2', 'Closed.', now())`, [part!.id])).toBe('WRONG_STATE')
        expect(await one(`return_refund_part($1, 're_1', 'Closed.', now())`, [part!.id])).toBe('OK')
        expect(await one(`return_refund_part($1, 're_1', 'Closed.', now())`, [part!.id])).toBe('WRONG_STATE')
        expect(await one(platform('REFUNDS_OWED'))).toBe(owed + 3450)
        expect(await rows('select status, settled_at as at from refunds where id = $1', [refund])).toEqual([
          { status: 'PENDING', at: null },
        ])
        expect((await rows(lines, [developer.user.id])).at(-1)).toMatchObject({ type: 'CREDIT', status: 'PENDING' })
        expect(await rows('select status, reason from provider_calls where subject_id = $1', [part!.id])).toEqual([
          { status: 'REFUSED', reason: 'Closed.' },
        ])
      })
  })

  test('end_refused_renewals: ends no payment of a draft, which renews nothing', async () => {
    const { id } = await draftOf(developer)
    await takenBack(async ({ one, rows }) => {
      await one(begin, [id, developer.user.id])
      expect(await one('end_refused_renewals(array[$1::uuid], now())', [id])).toEqual([])
      expect(await rows(state)).toEqual([{ status: 'PENDING', ended: false }])
    })
  })

  test('settle_charge: what is paid for a draft whose owner was deleted, as in a restored copy, goes back', async () => {
    const { id } = await draftOf(developer)
    await takenBack(async ({ one, rows }) => {
      await one(begin, [id, developer.user.id])
      await rows('update users set deleted_at = now() where id = $1', [developer.user.id])
      expect(await one(settle('PAID'))).toBe('RETURNED')
      expect(await rows('select status from campaigns where id = $1', [id])).toEqual([{ status: 'DRAFT' }])
    })
  })

  test.each([
    ["suspended_at = now(), suspension_reason = 'Why'", 'SUSPENDED'],
    ['deleted_at = now()', 'NOT_FOUND'],
  ])('begin_charge: nobody pays into an account with %s', async (change, answer) => {
    const { id } = await draftOf(developer)
    await takenBack(async ({ one, rows }) => {
      await rows(`update users set ${change} where id = $1`, [developer.user.id])
      expect(await one(begin, [id, developer.user.id])).toBe(answer)
    })
  })
})

afterAll(async () => expect(await brokenChecks()).toEqual([]))
