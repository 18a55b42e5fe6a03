/**
 * What the functions of a withdrawal do step by step, and what each writes: request_withdrawal, settle_withdrawal and
 * return_withdrawal. Every transaction is rolled back, because no provider has moved any money.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paidTester, type Person } from '../../testing/app.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { balance, lines, moves, platform } from '../../testing/readings.ts'
import { type Beside, takenBackIn } from '../../testing/takenBack.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const takenBack = (work: (beside: Beside) => Promise<void>) => takenBackIn(t, work)

describe('a withdrawal', () => {
  let tester: Person
  beforeAll(async () => {
    tester = await paidTester(t, developer, admin, 2500)
    await t.look(`update users set payment_method = 'tester@bank.example' where id = $1`, [tester.user.id])
  })
  const id = '01900000-0000-7000-8000-000000000001'
  const ask = `request_withdrawal('${id}', $1, $2, interval '24 hours', now())`

  test('leaves the balance as pending, and arrives', async () => {
    const who = tester.user.id
    await takenBack(async ({ one, rows }) => {
      expect(await one(ask, [who, 1500])).toBe('OK')
      expect(await one(balance, [who])).toBe(1000)
      expect(await rows('select destination, status, settled_at as at from withdrawals where id = $1', [id])).toEqual([
        { destination: 'tester@bank.example', status: 'PENDING', at: null },
      ])
      expect(await one('return_withdrawal($1, $2, now())', [id, 'Too early.'])).toBe('WRONG_STATE')
      expect(await one('settle_withdrawal($1, null, now())', [id])).toBe('OK')
      for (const failure of [null, 'Refused.'])
        expect(await one('settle_withdrawal($1, $2, now())', [id, failure])).toBe('WRONG_STATE')
      expect(await one(balance, [who])).toBe(1000)
      expect(await rows(moves, [id])).toEqual([
        { key: 'withdraw', phase: 'PENDING', from: 'TESTER_BALANCE', to: 'PAYOUTS_IN_TRANSIT', cents: 1500 },
        { key: 'payout', phase: 'POST', from: 'PAYOUTS_IN_TRANSIT', to: 'PROVIDER_CASH', cents: 1500 },
      ])
      expect((await rows(lines, [who])).slice(1)).toEqual([
        { type: 'PAYOUT', status: 'COMPLETED', cents: 1500, description: 'Withdrawal to tester@bank.example' },
      ])
      expect(
        await rows('select status, failure_reason as why, settled_at is null as open from withdrawals where id = $1', [
          id,
        ]),
      ).toEqual([{ status: 'COMPLETED', why: null, open: false }])
    })
  })

  test('that the provider refuses is back in the balance, with the reason', async () => {
    const who = tester.user.id
    await takenBack(async ({ one, rows }) => {
      await one(ask, [who, 2500])
      await rows(
        `insert into provider_calls (id, provider, kind, subject_id, attempt, key, status, created_at)
          values (gen_random_uuid(), 'test', 'PAYOUT', $1::uuid, 1, $1::text, 'PENDING', now())`,
        [id],
      )
      expect(await one(balance, [who])).toBe(0)
      expect(await one('settle_withdrawal($1, $2, now())', [id, 'Closed account.'])).toBe('OK')
      expect(await one(balance, [who])).toBe(2500)
      expect(
        (await rows<{ key: string; phase: string }>(moves, [id])).map(({ key, phase }) => `${key} ${phase}`),
      ).toEqual(['withdraw PENDING', 'payout-back VOID'])
      expect((await rows(lines, [who])).slice(1)).toEqual([
        { type: 'PAYOUT', status: 'FAILED', cents: 2500, description: 'Withdrawal to tester@bank.example' },
        { type: 'CREDIT', status: 'REFUNDED', cents: 2500, description: 'Withdrawal returned' },
      ])
      expect(
        await rows('select status, reason, settled_at is null as open from provider_calls where subject_id = $1', [id]),
      ).toEqual([{ status: 'REFUSED', reason: 'Closed account.', open: false }])
      expect(await rows('select status, failure_reason as why from withdrawals where id = $1', [id])).toEqual([
        { status: 'FAILED', why: 'Closed account.' },
      ])
    })
  })

  test('that comes back after it had arrived is in the balance again, once', async () => {
    const who = tester.user.id
    await takenBack(async ({ one, rows }) => {
      await one(ask, [who, 2500])
      await one('settle_withdrawal($1, null, now())', [id])
      const cash = await one<number>(platform('PROVIDER_CASH'))
      expect(await one('return_withdrawal($1, $2, now())', [id, 'Sent back.'])).toBe('OK')
      expect(await one('return_withdrawal($1, $2, now())', [id, 'Sent back.'])).toBe('WRONG_STATE')
      expect(await one(balance, [who])).toBe(2500)
      expect(await one(platform('PROVIDER_CASH'))).toBe(cash - 2500)
      expect((await rows(lines, [who])).slice(1)).toEqual([
        { type: 'PAYOUT', status: 'FAILED', cents: 2500, description: 'Withdrawal to tester@bank.example' },
        { type: 'CREDIT', status: 'REFUNDED', cents: 2500, description: 'Withdrawal returned' },
      ])
      expect(
        await rows('select status, failure_reason as why, returned_at is null as kept from withdrawals where id = $1', [
          id,
        ]),
      ).toEqual([{ status: 'FAILED', why: 'Sent back.', kept: false }])
    })
  })

  test('goes to the email address if no payment method is known', async () => {
    const who = tester.user.id
    await takenBack(async ({ one, rows }) => {
      await rows('update users set payment_method = null where id = $1', [who])
      await one(ask, [who, 1000])
      expect(await rows('select destination from withdrawals where id = $1', [id])).toEqual([
        { destination: tester.user.email },
      ])
    })
  })

  test.each([
    ['more than there is', 2501, 'true', 'INSUFFICIENT_BALANCE'],
    ['all there is', 2500, 'true', 'OK'],
    ['suspended', 1000, "suspended_at = now(), suspension_reason = 'Why'", 'SUSPENDED'],
    ['deleted', 1000, 'deleted_at = now()', 'NOT_FOUND'],
    [
      'method changed 23 hours ago',
      1000,
      `payment_method_changed_at = now() - interval '23 hours'`,
      'PAYOUT_METHOD_PAUSED',
    ],
    ['method changed 24 hours ago', 1000, `payment_method_changed_at = now() - interval '24 hours'`, 'OK'],
    [
      'paused',
      1000,
      `payouts_paused_until = now() + interval '1 minute', payouts_paused_because = 'PASSWORD_RESET'`,
      'PAYOUT_METHOD_PAUSED',
    ],
    ['paused until now', 1000, `payouts_paused_until = now(), payouts_paused_because = 'PASSWORD_RESET'`, 'OK'],
  ])('request_withdrawal: %s', async (_, cents, change, answer) => {
    const who = tester.user.id
    await takenBack(async ({ one, rows }) => {
      if (change !== 'true') await rows(`update users set ${change} where id = $1`, [who])
      expect(await one(ask, [who, cents])).toBe(answer)
      expect(await one(balance, [who])).toBe(answer === 'OK' ? 2500 - cents : 2500)
    })
  })
})

afterAll(async () => expect(await brokenChecks()).toEqual([]))
