/** Refunds that the payment provider permanently refuses: an admin has each one retried, or pays it by other means, once. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { disputesIn } from '../../testing/disputes.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { refundedThere, stuckRefundsIn } from '../../testing/stuckRefund.ts'
import { takenBackIn } from '../../testing/takenBack.ts'
import { clock } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import type { AuditEntry } from '../../audit/contract.ts'
import type { Needs } from '../../dashboards/contract.ts'
import type { Refund } from '../contract.ts'
import { notCoveredSentence } from '../rules.ts'
import type { StuckRefund } from '../stuckRefundsContract.ts'
import { compareWithProvider } from './books.ts'
import { bookedWith } from './comparing.queries.ts'
import { payRefundPart } from './calls.ts'
import { sandboxMovements } from './sandboxFile.ts'
import { believedDone, refundPartsAmong } from './reconciling.queries.ts'

const t = testApp()
const ann = signedUp(t, 'ADMIN', { name: 'Ann' })
const bob = signedUp(t, 'ADMIN', { name: 'Bob' })
const cat = signedUp(t, 'ADMIN', { name: 'Cat' })
const { news, paymentOf } = disputesIn(t, ann)

const { act, callsOf, lineOf, listOf, movedOf, pay, setLimit, shown, statusOf, stuck, told, transfer } = stuckRefundsIn(
  t,
  ann,
)
beforeEach(() => setLimit(null))
afterEach(async () => {
  expect(await brokenChecks()).toEqual([])
  expect((await compareWithProvider({ inFull: true })).offCents).toBe(0)
})

test('the list shows the developer, the campaign, since when, why, how often it was tried, and what happens next', async () => {
  const { developer, campaignId, id } = await stuck()
  const { status, body } = await ann.call<StuckRefund[]>('GET', '/admin/stuck-refunds')
  expect(status).toBe(200)
  expect(body.find(refund => refund.id === id)).toMatchObject({
    campaign: { id: campaignId },
    developer: { id: developer.user.id, name: 'Dee' },
    paymentMethod: developer.user.email,
    amountCents: 3450,
    state: 'STUCK',
    attempts: 20,
    reason: 'The refund to the payment method failed (lost or stolen card).',
    next: 'Nothing, unless you act. Ask the developer how to pay them, or try again once they have another card.',
    needsTwo: false,
    outside: null,
    actions: ['retry', 'pay'],
  })
  const { needs } = (await ann.call<Needs>('GET', '/dashboard/needs')).body
  expect(needs.find(({ kind }) => kind === 'REFUNDS_STUCK')?.count).toBeGreaterThan(0)
  // By itself nothing happens, even when another part of the same refund or the hourly safety net passes by.
  await payRefundPart.run({ partId: id })
  await t.advance(7)
  expect(await callsOf(id)).toHaveLength(20)
  await act(ann, id, 'retry')
  await t.advance(1)
})

test('pages of the list follow one another, even if the cursor’s refund was paid meanwhile', async () => {
  const ids = [(await stuck()).id, (await stuck()).id, (await stuck()).id]
  const all = (await listOf(ann)).map(({ id }) => id)
  expect(all.toSorted()).toEqual(expect.arrayContaining(ids.toSorted()))
  const seen: string[] = []
  for (let cursor = ''; ;) {
    const { body, headers } = await ann.call<StuckRefund[]>('GET', `/admin/stuck-refunds?limit=1${cursor}`)
    seen.push(...body.map(({ id }) => id))
    const next = /cursor=([^&>]+)/.exec(String(headers['link']))?.[1]
    if (next === undefined) break
    if (seen.length === 1) await pay(ann, seen[0]!)
    cursor = `&cursor=${next}`
  }
  expect(seen).toEqual(all)
  for (const id of all.slice(1)) await pay(ann, id)
})

test('a refund that our own money did not cover when it was tried once more does not read as if it were retried', async () => {
  const { id } = await stuck()
  await t.look(
    `insert into provider_calls (id, provider, kind, subject_id, attempt, key, status, reason, sent_at, created_at, settled_at, amount_cents)
      select gen_random_uuid(), provider, kind, subject_id, 21, subject_id || ':21', 'REFUSED', $2, now(), now(), now(), amount_cents
      from provider_calls where subject_id = $1 and attempt = 20`,
    [id, notCoveredSentence],
  )
  expect(await shown(ann, id)).toMatchObject({
    state: 'STUCK',
    attempts: 21,
    reason: 'Our money at Stripe was not available yet at the last attempt, so the payment method was not tried.',
    next: expect.stringMatching(/^Nothing, unless you act\./) as string,
  })
  await pay(ann, id)
})

describe('retrying', () => {
  test('sends it under a new key, once however many press, and nobody pays it by other means meanwhile', async () => {
    const { developer, id } = await stuck()
    const asked = await inParallel(10, index => act(index % 2 === 0 ? ann : bob, id, 'retry'))
    expect(tally(asked)).toEqual({ 200: 1, 409: 9 })
    expect(asked.find(({ status }) => status === 200)!.body).toMatchObject({ state: 'TRYING', actions: [] })
    expect((await pay(ann, id)).body.message).toBe(
      'We have asked the payment provider, which may still pay it. Wait for its answer.',
    )
    await t.advance(1)
    expect(await callsOf(id)).toHaveLength(21)
    expect((await callsOf(id))[0]).toEqual({ key: `${id}:21`, status: 'DONE' })
    expect([await statusOf(id), (await lineOf(developer)).status]).toEqual(['COMPLETED', 'COMPLETED'])
    expect(await shown(ann, id)).toBeUndefined()
    expect((await act(ann, id, 'retry')).body.message).toBe('This refund has already been paid.')
  })

  test('is not possible while an attempt has no answer, and neither is paying by other means', async () => {
    const { id } = await stuck()
    await act(ann, id, 'retry')
    const [{ refund }] = (await t.look<{ refund: string }>(
      'select refund_id as refund from refund_parts where id = $1',
      [id],
    )) as [{ refund: string }]
    // The job dies right after recording the attempt.
    await t.look('select begin_refunds(array[$1::uuid], now())', [refund])
    await t.look('update refund_parts set retry_asked_at = null where id = $1', [id])
    expect((await pay(ann, id)).status).toBe(409)
    expect((await act(ann, id, 'retry')).status).toBe(409)
    const outcome = await t.look(
      `select record_outside_refund(gen_random_uuid(), $1, 3450, 'By hand', null, false, $2, now()) as outcome`,
      [id, ann.user.id],
    )
    expect(outcome).toEqual([{ outcome: 'WRONG_STATE' }])
    await t.look('update refund_parts set retry_asked_at = now() where id = $1', [id])
    await t.advance(2)
    expect(await statusOf(id)).toBe('COMPLETED')
  })
})

describe('paying by other means', () => {
  test('leaves the money with the provider, owed to the operator, and tells the developer how they were paid', async () => {
    const { developer, campaignId, id } = await stuck()
    const before = await compareWithProvider({ inFull: true })
    const { status, body } = await pay(ann, id, { ...transfer, note: 'Asked for by phone.' })
    expect([status, body.actions]).toEqual([200, []])
    expect(body.outside).toMatchObject({ reference: transfer.reference, recordedBy: { name: 'Ann' } })
    expect(await movedOf(campaignId)).toEqual([
      { way: 'REFUNDS_OWED to REFUNDS_IN_TRANSIT', phase: 'PENDING', cents: 3450 },
      { way: 'REFUNDS_IN_TRANSIT to PAID_OUTSIDE', phase: 'POST', cents: 3450 },
    ])
    expect((await compareWithProvider({ inFull: true })).balanceCents).toBe(before.balanceCents)
    const line = await lineOf(developer)
    expect([await statusOf(id), line.status]).toEqual(['COMPLETED', 'COMPLETED'])
    const note = (await developer.call<Refund>('GET', `/users/me/refunds/${line.refundId}`)).body
    expect(note).toMatchObject({ status: 'COMPLETED', parts: [{ paidOutside: transfer.reference }] })
    expect((await developer.call('GET', `/users/me/refunds/${line.refundId}/credit-note.pdf`)).status).toBe(200)
    expect((await told(developer))[0]).toMatchObject({
      subject: 'Refund paid: $34.50',
      text: expect.stringContaining(`Reference: ${transfer.reference}`),
    })
    const log = (await ann.call<{ data: AuditEntry[] }>('GET', '/admin/audit-log?action=refund.pay')).body.data[0]!
    expect(log.facts).toMatchObject({ refund: '$34.50', reference: transfer.reference, note: 'Asked for by phone.' })
    expect(await shown(ann, id)).toBeUndefined()
    // The comparison with the provider leaves this payment out, since the provider did not make it.
    const ours: unknown[] = []
    for await (const page of bookedWith(autocommit, 'sandbox')) ours.push(...page.filter(each => each.id === id))
    expect(ours).toEqual([{ kind: 'REFUND', id, cents: 0, pendingCents: 0, after: id }])
    for await (const page of believedDone(autocommit, 'sandbox')) expect(page.map(each => each.id)).not.toContain(id)
    expect(await refundPartsAmong(autocommit, [id])).toMatchObject([{ status: 'PAID_OUTSIDE' }])
    // Nothing pays it again.
    await payRefundPart.run({ partId: id })
    await t.advance(7)
    expect(await callsOf(id)).toHaveLength(20)
  })

  test('happens once if many record it at once; the same key gets the same answer', async () => {
    const { campaignId, id } = await stuck()
    const sent = await inParallel(10, index => pay(index % 2 === 0 ? ann : bob, id, transfer, `one-of-${index % 5}`))
    const done = sent.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map(({ body }) => body.outside?.recordedBy.name)).size).toBe(1)
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(await movedOf(campaignId)).toHaveLength(2)
    const again = await pay(cat, id, transfer)
    expect([again.status, again.body.message]).toEqual([409, 'This refund has already been paid.'])
  })

  test('takes only the whole amount and a usable reference; another body under the same key is refused', async () => {
    const { id } = await stuck()
    const less = await pay(ann, id, { ...transfer, amountCents: 3449 })
    expect([less.status, less.body.code, less.body.fields?.['amountCents']]).toEqual([
      422,
      'WRONG_AMOUNT',
      'The amount must be the $34.50 (3450 cents) owed.',
    ])
    // The function itself refuses a part of the amount, too.
    const byHand = `select record_outside_refund(gen_random_uuid(), $1, 3449, 'By hand', null, false, $2, now()) as outcome`
    expect(await t.look(byHand, [id, ann.user.id])).toEqual([{ outcome: 'WRONG_AMOUNT' }])
    for (const reference of [undefined, '', '    ', '1234', 'x'.repeat(201)])
      expect((await pay(ann, id, { ...transfer, reference })).status).toBe(400)
    expect(await statusOf(id)).toBe('PENDING')
    expect((await pay(ann, id, transfer, 'the-key')).status).toBe(200)
    expect((await pay(ann, id, transfer, 'the-key')).status).toBe(200)
    expect((await pay(ann, id, { ...transfer, reference: 'Another one' }, 'the-key')).status).toBe(422)
  })

  test('is not possible for a refund that is retried automatically', async () => {
    const { id } = await stuck()
    await t.look('update refund_parts set stuck_since = null where id = $1', [id])
    expect((await pay(ann, id)).body.message).toBe('This refund is not stuck: we retry it automatically.')
    await t.advance(7)
    expect(await statusOf(id)).toBe('COMPLETED')
  })

  test('deducts what was paid before a restore, from what is owed and from the provider’s cash', async () => {
    const { campaignId, id } = await stuck()
    const { id: paymentId } = await paymentOf(campaignId)
    await t.look(
      `insert into lost_movements (id, kind, of_id, amount_cents, at) values (gen_random_uuid(), 'REFUND', $1, 450, now())`,
      [paymentId],
    )
    await t.look('update refund_parts set covered_cents = 450 where id = $1', [id])
    await paidThere(randomUUID(), paymentId, 450)
    expect((await shown(ann, id))?.amountCents).toBe(3000)
    expect((await pay(ann, id)).status).toBe(422)
    expect((await pay(ann, id, { ...transfer, amountCents: 3000 })).status).toBe(200)
    expect((await movedOf(campaignId)).at(-1)).toEqual({
      way: 'PAID_OUTSIDE to PROVIDER_CASH',
      phase: 'SINGLE',
      cents: 450,
    })
  })

  test('is not possible while the bank disputes the payment', async () => {
    const { campaignId, id } = await stuck()
    await news(campaignId, 'OPEN')
    for (const action of ['retry', 'pay'])
      expect((await act(ann, id, action, action === 'pay' ? transfer : undefined)).body.message).toBe(
        'The developer’s bank disputes the payment. Wait until the dispute is over.',
      )
    expect((await shown(ann, id))?.next).toContain('Nothing is paid until the dispute has ended.')
    await news(campaignId, 'WON')
    expect((await pay(ann, id)).status).toBe(200)
  })

  test('is refused by the function, too, once a retry is asked for', async () => {
    const { id } = await stuck()
    await takenBackIn(t, async ({ one, rows }) => {
      await rows('update refund_parts set retry_asked_at = now() where id = $1', [id])
      const record = `record_outside_refund(gen_random_uuid(), $1, 3450, 'By hand', null, false, $2, now())`
      expect(await one(record, [id, ann.user.id])).toBe('WRONG_STATE')
    })
  })

  test('needs a look at the provider first after a restore', async () => {
    const { id } = await stuck()
    await t.look(
      `insert into job_pauses (id, reason, note, paused_at, resumed_at)
        values (gen_random_uuid(), 'RESTORED', 'A copy.', now(), null)`,
    )
    const refused = async () => {
      const { status, body } = await pay(ann, id)
      return [status, body.message]
    }
    expect(await refused()).toEqual([409, expect.stringContaining('Try again first')])
    await t.look('update job_pauses set resumed_at = now() where resumed_at is null')
    expect(await refused()).toEqual([409, expect.stringContaining('Try again first')])
    expect((await shown(ann, id))?.actions).toEqual(['retry'])
    await act(ann, id, 'retry')
    await t.advance(1)
    expect(await statusOf(id)).toBe('COMPLETED')
  })
})

describe('above the payout limit', () => {
  beforeEach(() => setLimit(1500))

  test('it cannot be confirmed while the bank disputes the payment, and can once the dispute is won', async () => {
    const { campaignId, id } = await stuck()
    expect((await pay(ann, id)).body.state).toBe('TO_CONFIRM')
    await news(campaignId, 'OPEN')
    const refused = await act(bob, id, 'confirm')
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The developer’s bank disputes the payment. Wait until the dispute is over.',
    ])
    expect([(await shown(bob, id))?.actions, await statusOf(id)]).toEqual([['refuse'], 'PENDING'])
    await news(campaignId, 'WON')
    expect((await act(bob, id, 'confirm')).status).toBe(200)
    expect(await statusOf(id)).toBe('COMPLETED')
  })

  test('a real payment can be confirmed even after the bank took the payment back, and then the developer owes it', async () => {
    const { developer, campaignId, id } = await stuck()
    await pay(ann, id)
    await news(campaignId, 'OPEN')
    await news(campaignId, 'LOST')
    await takenThere(campaignId)
    // Runs the minute's jobs: nothing is set off while it waits.
    await t.advance(1)
    expect(await shown(bob, id)).toMatchObject({ state: 'TO_CONFIRM', actions: ['confirm', 'refuse'] })
    expect((await act(bob, id, 'confirm')).status).toBe(200)
    await t.advance(1)
    expect((await movedOf(campaignId)).at(-1)).toEqual({
      way: 'REFUNDS_IN_TRANSIT to PAID_OUTSIDE',
      phase: 'POST',
      cents: 3450,
    })
    expect([await statusOf(id), (await lineOf(developer)).status]).toEqual(['COMPLETED', 'COMPLETED'])
    expect(await t.look('select owed_by_developer($1)::int as cents', [developer.user.id])).toEqual([{ cents: 3450 }])
  })

  test('it counts as paid once another admin confirms; until then nobody asks the provider for it', async () => {
    const { developer, campaignId, id } = await stuck()
    const recorded = await pay(ann, id)
    expect(recorded.body).toMatchObject({ state: 'TO_CONFIRM', needsTwo: true, actions: ['refuse'] })
    expect(recorded.body.next).toBe('You recorded it. It counts as paid once another admin confirms.')
    expect((await told(bob))[0]?.subject).toBe('Refund to confirm: $34.50')
    expect((await told(ann)).map(({ subject }) => subject)).not.toContain('Refund to confirm: $34.50')
    expect(await movedOf(campaignId)).toHaveLength(1)
    expect((await act(ann, id, 'confirm')).body.message).toBe(
      'You have recorded this payment yourself. Another admin has to confirm it.',
    )
    expect((await act(bob, id, 'retry')).status).toBe(409)
    expect((await pay(bob, id)).status).toBe(409)
    await t.advance(7)
    expect([await callsOf(id), await statusOf(id)]).toEqual([expect.objectContaining({ length: 20 }), 'PENDING'])
    const confirmed = await inParallel(6, index => act(index % 2 === 0 ? bob : cat, id, 'confirm'))
    expect(tally(confirmed)).toEqual({ 200: 1, 409: 5 })
    expect([await statusOf(id), (await lineOf(developer)).status]).toEqual(['COMPLETED', 'COMPLETED'])
    expect((await told(developer))[0]?.subject).toBe('Refund paid: $34.50')
  })

  test('a refund of just the limit needs one admin', async () => {
    await setLimit(3450)
    const { id } = await stuck()
    expect((await pay(ann, id)).status).toBe(200)
    expect(await statusOf(id)).toBe('COMPLETED')
  })

  test('either admin can discard it before that: it is stuck as before, and can be recorded again', async () => {
    const { campaignId, id } = await stuck()
    await pay(ann, id)
    const refused = await act(bob, id, 'refuse', { reason: 'No such transfer.' })
    expect(refused.body).toMatchObject({ state: 'STUCK', outside: null, actions: ['retry', 'pay'] })
    expect((await movedOf(campaignId)).at(-1)).toMatchObject({
      way: 'REFUNDS_IN_TRANSIT to REFUNDS_OWED',
      phase: 'VOID',
    })
    await pay(ann, id)
    expect((await act(bob, id, 'confirm')).status).toBe(200)
  })

  test('the function settles a recorded payment once, and refuses an unknown one', async () => {
    const [first, second] = [(await stuck()).id, (await stuck()).id]
    await Promise.all([pay(ann, first), pay(ann, second)])
    await takenBackIn(t, async ({ one, rows }) => {
      const recorded = await rows<{ id: string; part: string }>(
        'select id, part_id as part from outside_refunds where part_id in ($1, $2) and outcome is null',
        [first, second],
      )
      const settle = (id: string) => one(`settle_outside_refund($1, 'PAID', $2, null, now())`, [id, bob.user.id])
      expect(await settle(recorded[0]!.id)).toBe('OK')
      expect(await settle(recorded[0]!.id)).toBe('WRONG_STATE')
      expect(await settle(first)).toBe('NOT_FOUND')
      const open = 'select part_id as part from outside_refunds where part_id in ($1, $2) and outcome is null'
      expect(await rows(open, [first, second])).toEqual([{ part: recorded[1]!.part }])
      const states = `select r.status from refunds r join refund_parts p on p.refund_id = r.id where p.id in ($1, $2) order by r.status`
      expect(await rows(states, [first, second])).toEqual([{ status: 'COMPLETED' }, { status: 'PENDING' }])
    })
  })

  /** Recorded by an admin who was suspended later. */
  const recordedByFormer = async () => {
    const refund = await stuck()
    const dan = await t.signUp('ADMIN', { name: 'Dan' })
    await pay(dan, refund.id)
    await t.look(`update users set suspended_at = created_at, suspension_reason = 'Left.' where id = $1`, [dan.user.id])
    return refund
  }

  test('a record of a former admin has to be recorded again by one admin, and confirmed by another', async () => {
    const { id } = await recordedByFormer()
    const { status, body } = await act(bob, id, 'confirm')
    expect([status, body.message]).toEqual([
      409,
      'Dan, who recorded this payment, is no longer an admin. Record it again, so that another admin can confirm it.',
    ])
    expect((await shown(bob, id))?.actions).toEqual(['pay', 'refuse'])
    const anew = await pay(ann, id, { ...transfer, reference: 'SEPA of Dan' })
    expect(anew.body).toMatchObject({
      state: 'TO_CONFIRM',
      actions: ['refuse'],
      outside: { reference: 'SEPA of Dan', recordedBy: { name: 'Ann' } },
    })
    expect((await pay(bob, id)).status).toBe(409)
    const byHand = `select record_outside_refund(gen_random_uuid(), $1, 3450, 'By hand', null, true, $2, now()) as outcome`
    expect(await t.look(byHand, [id, bob.user.id])).toEqual([{ outcome: 'WRONG_STATE' }])
    expect((await act(bob, id, 'confirm')).status).toBe(200)
  })

  test('one that needed two admins still does when it is recorded again after the limit was turned off', async () => {
    const { id } = await recordedByFormer()
    await setLimit(null)
    expect((await pay(ann, id)).body).toMatchObject({ state: 'TO_CONFIRM', needsTwo: true })
    expect((await act(bob, id, 'confirm')).status).toBe(200)
  })

  test('a payment recorded by a former admin is not set off when the bank takes the payment back', async () => {
    const { developer, campaignId, id } = await recordedByFormer()
    await news(campaignId, 'OPEN')
    expect((await pay(ann, id)).body.message).toBe(
      'The developer’s bank disputes the payment. Wait until the dispute is over.',
    )
    const byHand = `select record_outside_refund(gen_random_uuid(), $1, 3450, 'By hand', null, true, $2, now()) as outcome`
    expect(await t.look(byHand, [id, ann.user.id])).toEqual([{ outcome: 'WRONG_STATE' }])
    await news(campaignId, 'LOST')
    await takenThere(campaignId)
    await t.advance(1)
    expect((await pay(ann, id)).status).toBe(200)
    await t.advance(1)
    expect((await act(bob, id, 'confirm')).status).toBe(200)
    await t.advance(1)
    expect((await movedOf(campaignId)).at(-1)).toEqual({
      way: 'REFUNDS_IN_TRANSIT to PAID_OUTSIDE',
      phase: 'POST',
      cents: 3450,
    })
    expect([await statusOf(id), (await lineOf(developer)).status]).toEqual(['COMPLETED', 'COMPLETED'])
    expect(await t.look('select owed_by_developer($1)::int as cents', [developer.user.id])).toEqual([{ cents: 3450 }])
  })

  test('the table itself refuses a payment above the limit that one admin confirmed alone', async () => {
    const { id } = await stuck()
    await pay(ann, id)
    await expect(
      t.look(
        `update outside_refunds set outcome = 'PAID', decided_by = recorded_by, decided_at = now() where part_id = $1`,
        [id],
      ),
    ).rejects.toThrow('outside_refunds_check')
    await act(bob, id, 'confirm')
  })
})

const paidThere = (id: string, of: string, amountCents = 3450) => refundedThere(t, { id, of, amountCents })

/** The bank has taken the whole payment. */
const takenThere = async (campaignId: string) => {
  const { id: of } = await paymentOf(campaignId)
  const [key, id] = [`lost:${of}`, randomUUID()]
  const dispute = { key, id, kind: 'DISPUTE', amountCents: 3450, of, declined: null, at: clock.now() } as const
  await (await sandboxMovements()).record(dispute)
}
