/** Functions that move the same money wait for each other. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type pg from 'pg'
import { disputesIn } from '../../testing/disputes.ts'
import { connectBeside } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const { begun, news, paymentOf } = disputesIn(t, admin)

const lost = '01900000-0000-7000-8000-0000000000f1'
const paidOut = '01900000-0000-7000-8000-0000000000f2'
const soon = `set lock_timeout = '200ms'`
const notAvailable = '55P03'
const ids = { campaign: '', payment: '', part: '' }
let holder: pg.Client
let caller: pg.Client

beforeAll(async () => {
  const { id } = await begun()
  await news(id, 'LOST')
  await cancelled()
  const [part] = await t.look<{ id: string }>(
    'select p.id from refund_parts p join refunds r on r.id = p.refund_id where r.campaign_id = $1',
    [(await cancelled()).id],
  )
  Object.assign(ids, { campaign: id, payment: (await paymentOf(id)).id, part: part!.id })
  await t.look(
    `insert into lost_movements (id, kind, of_id, amount_cents, at) values ('${lost}', 'REFUND', $1, 100, now())`,
    [ids.payment],
  )
  await t.look(
    `insert into withdrawals (id, tester_id, amount_cents, destination, status, created_at, settled_at)
      select '${paidOut}', developer_id, 100, 'bank', 'COMPLETED', now(), now() from campaigns where id = $1`,
    [id],
  )
  holder = await connectBeside(t)
  caller = await connectBeside(t)
  await caller.query(soon)
})
afterAll(() => Promise.all([holder.end(), caller.end()]))

const cancelled = async () => {
  const { developer, id } = await begun()
  await developer.call('POST', `/campaigns/${id}/cancel`)
  return { id }
}

/** The error code of the call while somebody else holds this row, or null. Neither transaction leaves anything behind. */
const failure = async (call: string, held: string): Promise<string | null> => {
  const filled = (text: string) => text.replaceAll(/:(\w+)/g, (_, name: keyof typeof ids) => `'${ids[name]}'`)
  await holder.query('begin')
  await caller.query('begin')
  try {
    expect((await holder.query(filled(held))).rowCount).toBe(1)
    return await caller.query(`select ${filled(call)}`).then(
      () => null,
      (error: { code: string }) => error.code,
    )
  } finally {
    await caller.query('rollback')
    await holder.query('rollback')
  }
}

const lockPart = 'lock_refund_part(:part)'
const lockDispute = `lock_dispute('test', text :campaign)`
const owner = '(select developer_id from campaigns where id = :campaign)'
const isOwner = `select from users where id = ${owner} for update`
const begins = `begin_charge(gen_random_uuid(), 'key', :campaign, ${owner}, 1, 'test', 'card', now())`
const withdraws = `request_withdrawal(gen_random_uuid(), ${owner}, 1, interval '0', now())`
const isReturned = `return_withdrawal('${paidOut}', 'Sent back.', now())`
const comesBack = `return_lost_refund('${lost}', 're_1', now())`

test.each([
  [
    lockPart,
    'its refund',
    'select from refunds where id = (select refund_id from refund_parts where id = :part) for update',
  ],
  [
    lockPart,
    'its campaign',
    `select from campaigns where id = (select campaign_id from refunds r join refund_parts p on p.refund_id = r.id
      where p.id = :part) for update`,
  ],
  [lockPart, 'it itself', 'select from refund_parts where id = :part for update'],
  [lockDispute, 'its campaign', 'select from campaigns where id = :campaign for update'],
  [lockDispute, 'it itself', 'select from disputes where reference = text :campaign for update'],
  [comesBack, 'the payment', 'select from payments where id = :payment for update'],
  [begins, 'the developer', isOwner],
  [withdraws, 'the user', isOwner],
  // A deletion updates the user; a reference to them does not wait for that.
  [isReturned, 'the user', isOwner.replace('for update', 'for no key update')],
])('%s waits for a transaction that locks %s', async (call, _what, held) => {
  expect(await failure(call, held)).toBe(notAvailable)
})

test.each([
  [
    lockPart,
    'select from refunds where id <> (select refund_id from refund_parts where id = :part) limit 1 for update',
  ],
  [lockDispute, 'select from campaigns where id <> :campaign limit 1 for update'],
  [comesBack, 'select from payments where id <> :payment limit 1 for update'],
])('%s does not wait for other owners’ locks', async (call, held) => {
  expect(await failure(call, held)).toBeNull()
})
