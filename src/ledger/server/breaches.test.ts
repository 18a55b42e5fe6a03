/** When the books are found to be wrong, payouts stop, and only payouts, until an admin records why they can resume. */
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fundedBy, joinedBy, liveCampaign, paidTester } from '../../testing/app.ts'
import { emailsOf } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { transact } from '../../kit/server/db.ts'
import { runDueJobs } from '../../kit/server/dueJobs.ts'
import { acceptBreaches } from './acceptance.ts'
import { endBreach, recordBreach } from './breaches.ts'
import { payOut } from './payouts.ts'
import { payoutsStopped } from './stops.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const owner = signedUp(t, 'DEVELOPER')
let tester: Awaited<ReturnType<typeof paidTester>>
beforeAll(async () => {
  tester = await paidTester(t, owner, admin, 20_000)
})
afterEach(() => t.look('delete from money_breaches'))

const found = (offCents: Record<string, number> = { a: 1 }, check = 'ledger-balances', isPartial = false) =>
  transact(async tx => {
    const rowCount = Object.keys(offCents).length
    return { stops: await recordBreach(tx, { check, rowCount, offCents, examples: [offCents], isPartial }) }
  })
const stopped = () => transact(async tx => ({ stop: await payoutsStopped(tx) }))
const breaches = () => t.look<{ id: string; check: string }>('select id, check_name as check from money_breaches')
const accept = async (ids?: string[]) => {
  const all = ids ?? (await breaches()).map(({ id }) => id)
  return transact(tx => acceptBreaches(tx, { ids: all, by: admin.user.id, reason: 'Known, and booked.' }))
}
const withdraw = () => tester.call<{ message: string; id: string }>('POST', '/testers/withdraw', { amountCents: 1000 })
const statusOf = async (id: string) =>
  (await t.look<{ status: string }>('select status from withdrawals where id = $1', [id]))[0]?.status

test('a new withdrawal is refused with a sentence, and the same request goes through afterwards', async () => {
  await found()
  expect((await stopped()).stop).toMatchObject({ since: expect.any(String) as string })
  expect(await withdraw()).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining('Your balance is safe') as string },
  })
  await accept()
  expect((await withdraw()).status).toBe(201)
  await t.advance(1)
})

test('an earlier withdrawal waits without failing, and is paid once payouts resume', async () => {
  const { id } = (await withdraw()).body
  await found()
  await t.advance(30)
  expect(await statusOf(id)).toBe('PENDING')
  await accept()
  await runDueJobs()
  expect(await statusOf(id)).toBe('COMPLETED')
})

test('a payout that was claimed before its answer was lost waits as well', async () => {
  const { id } = (await withdraw()).body
  await t.look('update withdrawals set claimed_at = created_at where id = $1', [id])
  await found()
  await t.advance(30)
  expect(await statusOf(id)).toBe('PENDING')
  await accept()
  await runDueJobs()
  expect(await statusOf(id)).toBe('COMPLETED')
})

test('a payout that was about to begin when the breach was found waits as well', async () => {
  const { id } = (await withdraw()).body
  await payOut.run({ withdrawalId: id }, async compare => {
    const answer = await compare()
    await found()
    return answer
  })
  expect(await t.look('select from provider_calls where subject_id = $1', [id])).toEqual([])
  expect(await statusOf(id)).toBe('PENDING')
  await accept()
  await runDueJobs()
  expect(await statusOf(id)).toBe('COMPLETED')
})

test('funding, joining, verifying and refunds continue', async () => {
  await found()
  const { id } = await liveCampaign(owner, admin)
  await joinedBy(await t.signUp('TESTER'), id)
  expect((await owner.call('POST', `/campaigns/${id}/cancel`)).status).toBe(200)
  await t.advance(1)
  expect(await t.look(`select from refunds where campaign_id = '${id}' and status = 'COMPLETED'`)).toHaveLength(1)
  await fundedBy(owner)
})

test('payouts resume only with a written reason, not when the check passes again', async () => {
  await found()
  await transact(tx => endBreach(tx, 'ledger-balances'))
  expect((await stopped()).stop).not.toBeNull()
  await accept()
  expect((await stopped()).stop).toBeNull()
})

test('an accepted breach does not stop payouts again; a new row, more cents, the other direction or another check does', async () => {
  const again = async (offCents: Record<string, number>, check?: string) => {
    const { stops } = await found(offCents, check)
    const { stop } = await stopped()
    expect(stop !== null).toBe(stops)
    if (stops) await accept()
    return stops
  }
  const steps = [
    await again({ a: 5 }),
    await again({ a: 5 }),
    await again({ a: 3 }),
    await again({ a: 4 }),
    await again({ a: -4 }),
    await again({ a: -4, b: 0 }),
    await again({ b: 0 }),
    await again({ b: 0 }, 'tester-statement'),
    await again({ b: 0 }, 'tester-statement'),
  ]
  expect(steps).toEqual([true, false, false, true, true, true, false, true, false])
})

test('a partial check that sees the same again reports nothing new, and forgets nothing of the rest', async () => {
  expect(await found({ a: 1, b: 2 })).toEqual({ stops: true })
  expect(await found({ a: 1 }, 'ledger-balances', true)).toEqual({ stops: false })
  expect(await found({ a: 3 }, 'ledger-balances', true)).toEqual({ stops: false })
  expect(await t.look('select row_count::int as rows, off_cents as off from money_breaches')).toEqual([
    { rows: 2, off: { a: 3, b: 2 } },
  ])
  await accept()
  expect(await found({ b: 2 }, 'ledger-balances', true)).toEqual({ stops: false })
  expect(await found({ b: 4 }, 'ledger-balances', true)).toEqual({ stops: true })
})

test('an unaccepted breach stays a single breach, with the latest finding', async () => {
  await found({ a: 1 })
  await found({ a: 1, b: 2 })
  expect(await t.look('select row_count::int as rows, off_cents as off from money_breaches')).toEqual([
    { rows: 2, off: { a: 1, b: 2 } },
  ])
})

test('nobody accepts what they have not seen', async () => {
  await found()
  const seen = (await breaches()).map(({ id }) => id)
  await found({ c: 1 }, 'tester-statement')
  await expect(accept(seen)).rejects.toMatchObject({
    code: 'WRONG_STATE',
    message: expect.stringContaining('Something else was found in the meantime') as string,
  })
  expect((await stopped()).stop).not.toBeNull()
  await accept()
  await expect(accept([])).rejects.toMatchObject({
    code: 'WRONG_STATE',
    message: 'Withdrawals are not stopped.',
  })
})

test('two checks that find the same at once record it once', async () => {
  const both = await Promise.all([found(), found()])
  expect(both.filter(({ stops }) => stops)).toHaveLength(1)
  expect(await breaches()).toHaveLength(1)
})

test('each active admin gets one email for each breach, however often it is found', async () => {
  const other = await t.signUp('ADMIN')
  const gone = await t.signUp('ADMIN')
  await t.look(`update users set suspended_at = now(), suspension_reason = 'Left.' where id = $1`, [gone.user.id])
  const mails = async () => (await emailsOf(t)).filter(mail => mail.endsWith('Withdrawals are stopped: a-check'))
  await found({ a: 150, b: -50 }, 'a-check')
  await t.advance(0.1)
  await found({ a: 250, b: -50 }, 'a-check')
  await t.advance(0.1)
  expect(await mails()).toHaveLength(2)
  expect((await mails()).map(mail => mail.split(':')[0])).toEqual([admin.user.email, other.user.email].toSorted())
  await accept()
  await found({ a: 250, b: -50, c: 1 }, 'a-check')
  await t.advance(0.1)
  expect(await mails()).toHaveLength(4)
})
