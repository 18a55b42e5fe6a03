/**
 * What the functions of the database do with money on its way, step by step, and what each writes down: settle_withdrawal,
 * return_withdrawal, request_withdrawal, settle_charge, return_refund_part, resolve_pending and their like. Played in transactions
 * that are taken back, since no provider has moved anything.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { draftOf, fundedBy, joinedBy, liveCampaign, paidTester, type Person, proof } from '../../testing/app.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { type Beside, takenBackIn } from '../../testing/takenBack.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const takenBack = (work: (beside: Beside) => Promise<void>) => takenBackIn(t, work)

const balance = 'balance_of_tester($1)::int'
const held = (kind: string) => `(select balance_cents::int from accounts where kind = '${kind}' and owner_id = $1)`
/** Of an account without an owner. */
const platform = (kind: string) =>
  `(select coalesce(sum(case when credit_account_id = a.id then amount_cents else -amount_cents end), 0)::int
    from accounts a join transfers on a.id in (debit_account_id, credit_account_id) where a.kind = '${kind}' and a.owner_id is null)`
const lines = `select type, status, amount_cents::int as cents, description from transactions where user_id = $1 order by seq`
const moves = `select split_part(business_key, ':', 1) as key, phase, d.kind as from, c.kind as to, amount_cents::int as cents
  from transfers join accounts d on d.id = debit_account_id join accounts c on c.id = credit_account_id
  where business_key like '%' || $1 || '%' order by transfers.id`

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

  test('that the provider refuses is back on the balance, with the reason', async () => {
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

  test('that comes back after it had arrived is on the balance again, once', async () => {
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

  test('goes to the email address where no payment method is known', async () => {
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

  test('that is declined leaves the draft as it was, and says so; one that nobody pays says nothing', async () => {
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
        // Another one may begin.
        expect(
          await one(`begin_charge(gen_random_uuid(), 'next', $1, $2, 3450, 'test', 'card', now())`, [
            id,
            developer.user.id,
          ]),
        ).toBe('OK')
      })
  })

  test('end_charges: one that is ended and pays after all goes back whole, and so does one that was given up', async () => {
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
        // What comes back of it can be told apart from other attempts.
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

describe('pending money', () => {
  test('resolve_pending: is resolved as what it is, once, and as nothing else', async () => {
    const { id } = await fundedBy(developer)
    await takenBack(async ({ one, rows, refused }) => {
      const [transit, cash, escrow] = [
        await one<string>(`account_of('PAYMENTS_IN_TRANSIT', null)`),
        await one<string>(`account_of('PROVIDER_CASH', null)`),
        await one<string>(`account_of('CAMPAIGN_ESCROW', $1)`, [id]),
      ]
      await one(`post_pending('p', $1, $2, 700, $3, now())`, [cash, transit, id])
      const resolved = (
        key: string,
        phase: string,
        of: string,
        from: string,
        to: string,
        cents: number,
      ): [string, unknown[]] => [
        'resolve_pending($1, $2, $3, $4, $5, $6, $7, now())',
        [key, phase, of, from, to, cents, id],
      ]
      for (const wrong of [
        resolved('q', 'POST', 'nothing', transit, escrow, 700),
        resolved('q', 'POST', 'p', transit, escrow, 701),
        resolved('q', 'POST', 'p', escrow, transit, 700),
        resolved('q', 'VOID', 'p', transit, escrow, 700),
      ])
        expect(await refused(...wrong)).toContain('resolves no pending transfer of these terms')
      await one(...resolved('q', 'POST', 'p', transit, escrow, 700))
      expect(await one(held('CAMPAIGN_ESCROW'), [id])).toBe(3700)
      // The same again is the same; another answer is none.
      await one(...resolved('q', 'POST', 'p', transit, escrow, 700))
      expect(await one(held('CAMPAIGN_ESCROW'), [id])).toBe(3700)
      expect(await refused(...resolved('r', 'VOID', 'p', transit, cash, 700))).toMatch(
        /transfers_pending|duplicate key/,
      )
      expect(await refused(...resolved('s', 'VOID', 'q', escrow, transit, 700))).toContain(
        'resolves no pending transfer',
      )
      expect(await rows(`select phase from transfers where business_key in ('p', 'q') order by id`)).toEqual([
        { phase: 'PENDING' },
        { phase: 'POST' },
      ])
      // Nothing moves no money, and is no transfer.
      await one(...resolved('z', 'POST', 'p', transit, escrow, 0))
      expect(await rows(`select from transfers where business_key = 'z'`)).toEqual([])
    })
  })

  test('post_transfer: the same key moves once, and is refused with other terms', async () => {
    const { id } = await fundedBy(developer)
    await takenBack(async ({ one, refused }) => {
      const post = `post_transfer('once', account_of('PAYMENTS_IN_TRANSIT', null), account_of($2, $1), $3::bigint, $1, now())`
      await one(post, [id, 'CAMPAIGN_ESCROW', 5])
      await one(post, [id, 'CAMPAIGN_ESCROW', 5])
      expect(await one(held('CAMPAIGN_ESCROW'), [id])).toBe(3005)
      expect(await refused(post, [id, 'CAMPAIGN_ESCROW', 6])).toContain('with other terms')
      expect(await refused(post, [id, 'CAMPAIGN_FEE', 5])).toContain('with other terms')
    })
  })
})

describe('a test that is decided', () => {
  test('verify_participations: those that are submitted, by silence only what is due; each is paid once', async () => {
    const { id } = await liveCampaign(developer, admin)
    const testers = [await t.signUp('TESTER'), await t.signUp('TESTER'), await t.signUp('TESTER')]
    const tests: string[] = []
    for (const tester of testers) tests.push((await joinedBy(tester, id)).id)
    const [first, second] = tests
    await takenBack(async ({ one, rows }) => {
      await rows(
        `update participations set status = 'SUBMITTED', proof_text = $2, proof_submitted_at = now(),
          wake_at = case when id = $3 then now() else now() + interval '1 hour' end where id = any ($1)`,
        [[first, second], proof, first],
      )
      expect(await one('verify_participations($1, null, now())', [tests])).toEqual([first])
      expect(await one('verify_participations($1, null, now())', [tests])).toEqual([])
      expect(await one('verify_participations($1, $2, now())', [tests, developer.user.id])).toEqual([second])
      expect(await one('verify_participation($1, $2, now())', [second, developer.user.id])).toBe('WRONG_STATE')
      expect(
        await rows('select reviewed_by as by, status from participations where id = any ($1) order by id', [tests]),
      ).toEqual([
        { by: null, status: 'VERIFIED' },
        { by: developer.user.id, status: 'VERIFIED' },
        { by: null, status: 'ACTIVE' },
      ])
      for (const [place, tester] of testers.entries())
        expect(await one(balance, [tester.user.id])).toBe(place < 2 ? 1000 : 0)
      expect(await one(held('CAMPAIGN_FEE'), [id])).toBe(150)
      expect(await one(held('CAMPAIGN_ESCROW'), [id])).toBe(1000)
      expect(
        await rows('select verified_testers as verified, open_testers as open from campaigns where id = $1', [id]),
      ).toEqual([{ verified: 2, open: 1 }])
    })
  })

  test('reject_participation and pay_goodwill: an appeal in vain costs nobody, the platform’s pay costs the platform alone', async () => {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 1 })
    const tester = await t.signUp('TESTER')
    const { id: seat } = await joinedBy(tester, id)
    const reject = `reject_participation($1, $2, 'OTHER', 'Not of our app.', 72, now())`
    await takenBack(async ({ one, rows }) => {
      expect(await one(reject, [seat, developer.user.id])).toBe('WRONG_STATE')
      await rows(
        `update participations set status = 'SUBMITTED', proof_text = $2, proof_submitted_at = now() where id = $1`,
        [seat, proof],
      )
      expect(await one('pay_goodwill($1, gen_random_uuid(), now())', [seat])).toBe('WRONG_STATE')
      expect(await one(reject, [seat, developer.user.id])).toBe('OK')
      expect(
        await rows(
          `select status, rejection_code as code, reviewed_by as by, extract(epoch from wake_at - reviewed_at)::int / 3600 as hours
            from participations where id = $1`,
          [seat],
        ),
      ).toEqual([{ status: 'REJECTED', code: 'OTHER', by: developer.user.id, hours: 72 }])
    })
    await takenBack(async ({ one, rows }) => {
      await rows(
        `update participations set status = 'SUBMITTED', proof_text = $2, proof_submitted_at = now() where id = $1`,
        [seat, proof],
      )
      await rows('update campaigns set disputed_since = now() where id = $1', [id])
      expect(await one(reject, [seat, developer.user.id])).toBe('WRONG_STATE')
      expect(await one(reject, [seat, admin.user.id])).toBe('OK')
    })
  })
})

test('balance_after and mark_balance: a marked account says the same of each moment as one that adds everything up', async () => {
  await liveCampaign(developer, admin)
  await t.look('select settled_sequence()')
  await takenBack(async ({ one, rows, refused }) => {
    const cash = await one<string>(`account_of('PROVIDER_CASH', null)`)
    const ids = await rows<{ id: string }>(
      'select id from transfers where $1 in (debit_account_id, credit_account_id) order by id',
      [cash],
    )
    const told = async () => {
      const sums: number[] = []
      for (const { id } of ids) sums.push(await one<number>('balance_after($1, $2)::int', [cash, id]))
      return sums
    }
    const before = await told()
    expect(before.at(-1)).toBe(await one(platform('PROVIDER_CASH')))
    const [escrow] = await rows<{ id: string }>(`select id from accounts where kind = 'CAMPAIGN_ESCROW' limit 1`)
    expect(await refused('mark_balance($1, 2)', [escrow!.id])).toContain('carries its balance itself')
    expect(await one('mark_balance($1, 2)', [cash])).toBe(ids[1]!.id)
    expect(await one('mark_balance($1, 2)', [cash])).toBe(ids[3]!.id)
    expect(await one('mark_balance($1, 1000)', [cash])).toBe(null)
    expect(
      await rows(
        'select up_to as id, balance_cents::int as cents from account_marks where account_id = $1 order by up_to',
        [cash],
      ),
    ).toEqual([
      { id: ids[1]!.id, cents: before[1] },
      { id: ids[3]!.id, cents: before[3] },
    ])
    expect(await told()).toEqual(before)
  })
})

afterAll(async () => expect(await brokenChecks()).toEqual([]))
