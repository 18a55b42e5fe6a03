/** The bank returns a payment that it had taken (win_lost_dispute). */
import { afterEach, describe, expect, test } from 'vitest'
import { joinedBy } from '../../testing/app.ts'
import { balanceOf } from '../../testing/appeals.ts'
import { disputesIn, linesOf } from '../../testing/disputes.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const { begun, campaignOf, news, settled, withProof } = disputesIn(t, admin)

describe('a lost dispute that is won after all', () => {
  const wonAfterAll = (id: string, movements = 2) => news(id, 'WON', id, undefined, null, movements)
  const lost = (id: string, movements = 1) => news(id, 'LOST', id, undefined, null, movements)
  const receivable = async (id: string) => {
    const [row] = await t.look<{ cents: number }>(
      `select coalesce(sum(case a.id when credit_account_id then amount_cents else -amount_cents end), 0)::int as cents
        from accounts a join transfers on a.id in (debit_account_id, credit_account_id)
        where a.kind = 'DISPUTES_RECEIVABLE' and campaign_id = $1`,
      [id],
    )
    return row!.cents
  }

  test('refunds what had covered it, and testers inside are paid as before', async () => {
    const { developer, id } = await begun()
    const { person, participationId } = await withProof(id)
    await lost(id)
    await settled()
    // Two seats of 1000, and their fee.
    expect(await receivable(id)).toBe(2300 - 3450)
    await wonAfterAll(id)
    expect(await receivable(id)).toBe(0)
    expect(await campaignOf(developer, id)).toMatchObject({ dispute: null, fundedCents: 3000, feeCents: 450 })
    await settled()
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'LIVE', fundedCents: 1000, feeCents: 150 })
    expect((await developer.call('POST', `/campaign-testers/${participationId}/verify`)).status).toBe(200)
    await settled()
    expect(await balanceOf(person)).toBe(1000)
    expect(await linesOf(developer)).toEqual([
      'CREDIT COMPLETED 2300',
      'CREDIT COMPLETED 2300',
      'DEBIT COMPLETED 2300',
      'DEBIT COMPLETED 3000',
      'FEE COMPLETED 450',
    ])
  })

  test('stays lost for news that is older than its loss', async () => {
    const { id } = await begun()
    await lost(id, 3)
    for (const movements of [0, 2, 3]) await wonAfterAll(id, movements)
    expect(await receivable(id)).toBe(-3450)
    await settled()
  })

  test('is booked once however often it is reported, and again each time it is lost and won', async () => {
    const { developer, id } = await begun()
    await lost(id)
    await settled()
    await Promise.all(Array.from({ length: 5 }, () => wonAfterAll(id)))
    expect(await receivable(id)).toBe(0)
    // Lost again before anything has gone back, so it covers the same money once more.
    await lost(id, 3)
    expect(await receivable(id)).toBe(-3450)
    await settled()
    expect(await receivable(id)).toBe(0)
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'COMPLETED', fundedCents: 0, feeCents: 0 })
    await wonAfterAll(id, 4)
    await settled()
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ dispute: null, fundedCents: 0, feeCents: 0 })
    expect((await linesOf(developer)).filter(line => line.startsWith('CREDIT'))).toEqual(
      Array(3).fill('CREDIT COMPLETED 3450'),
    )
  })

  test('is announced once to the owner, testers inside and admins, like any end', async () => {
    const { developer, id } = await begun({ durationDays: 14 })
    const tester = await t.signUp('TESTER')
    await joinedBy(tester, id)
    await lost(id)
    await settled()
    const told = () =>
      Promise.all(
        [developer, tester, admin].map(
          async ({ user }) => (await t.look('select from notifications where user_id = $1', [user.id])).length,
        ),
      )
    const before = await told()
    for (let times = 0; times < 3; times++) await wonAfterAll(id)
    expect(await told()).toEqual(before.map(times => times + 1))
    await settled()
  })

  test('leaves the campaign with the earliest of the disputes that stay lost', async () => {
    const { id } = await begun()
    const lostSince = async () =>
      (await t.look<{ at: Date | null }>('select dispute_lost_at as at from campaigns where id = $1', [id]))[0]!.at
    const part = (reference: string, status: 'LOST' | 'WON', movements: number) =>
      news(id, status, `${id}-${reference}`, 500, null, movements)
    await part('first', 'LOST', 1)
    const first = await lostSince()
    await t.advance(1)
    await part('second', 'LOST', 1)
    await t.advance(1)
    await part('third', 'LOST', 1)
    await part('third', 'WON', 2)
    expect(await lostSince()).toEqual(first)
    await part('first', 'WON', 2)
    expect(await lostSince()).not.toEqual(first)
    await part('second', 'WON', 2)
    expect(await lostSince()).toBeNull()
  })
})
