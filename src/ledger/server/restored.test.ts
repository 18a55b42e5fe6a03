/** Pay out, back up, pay out more, restore: nobody is paid twice, nothing is lost, and nobody gets an old email again. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { allJobs } from '../../app/server/routes.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { useEncryptionKeys } from '../../kit/server/encryption.ts'
import { openPause, pauseJobs } from '../../kit/server/pauses.ts'
import { draftOf, liveCampaign, paidTester, type Person, type TestApp } from '../../testing/app.ts'
import { startTestApp } from '../../testing/start.ts'
import { urlOf } from '../../testing/databases.ts'
import { brokenChecks } from '../../testing/observed.ts'
import type { Balance } from '../contract.ts'
import { fileHistory } from './history.ts'
import { type Movement, type Movements, openMovements } from './movements.ts'
import { reconcile, type Reconciled } from './reconciling.ts'
import { resume } from './resuming.ts'

const key = randomBytes(32).toString('base64')
let folder: string
let env: Record<string, string>
let t: TestApp
let movements: Movements
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldtest-restored-'))
  env = { SANDBOX_FILE: join(folder, 'sandbox.jsonl'), ENCRYPTION_KEY: key, JWT_SECRET: 'x'.repeat(40) }
})
afterAll(async () => {
  await movements?.close()
  await t?.stop()
  await rm(folder, { recursive: true })
})

const onServer = async (statement: string) => {
  const client = new pg.Client({ connectionString: inject('serverUrl') })
  await client.connect()
  await client.query(statement)
  await client.end()
}
const nameOf = (url: string) => new URL(url).pathname.slice(1)
/** A backup, taken while nobody is connected. */
const copyOf = async (url: string, name: string) => {
  await onServer(`create database ${name} template ${nameOf(url)}`)
  return urlOf(inject('serverUrl'), name)
}
const startOn = (url: string) => startTestApp(env, { via: () => Promise.resolve(url) })
/** What really left, by person or payment: each movement counts once, however often it is in the file. */
const movedTo = async (of: string, kind: Movement['kind']) =>
  [...(await movements.all()).values()]
    .filter(movement => movement.of === of && movement.kind === kind && movement.declined === null)
    .reduce((sum, { amountCents, earlierCents = 0 }) => sum + amountCents - earlierCents, 0)
const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents
const withdraw = (tester: Person, amountCents = 1500) => tester.call('POST', '/testers/withdraw', { amountCents })
const cancel = (developer: Person, id: string) => developer.call('POST', `/campaigns/${id}/cancel`)
const fund = (developer: Person, { id, totalCostCents: amountCents }: Campaign) =>
  developer.call<Campaign>('POST', `/campaigns/${id}/fund`, { amountCents })
const paymentOf = async (campaignId: string) =>
  (await t.look<{ id: string }>('select id from payments where campaign_id = $1', [campaignId]))[0]!.id
const emailQueues = allJobs.flatMap(({ name, cron, neverPaused }) =>
  neverPaused === 'BY_ADMIN' && !cron ? [name] : [],
)
const how = () => ({ history: fileHistory(movements), acceptDifferences: false, sendOldEmails: false, emailQueues })
const refusal = () =>
  resume(how()).then(
    () => 'resumed',
    (error: Error) => error.message,
  )
/** Signs in again, because the copy has sessions of its own. */
const again = (person: Person) => t.signIn(person.user.email)

describe('a copy that is restored after the original continued', () => {
  let developer: Person
  let admin: Person
  let before: Person
  let inTransit: Person
  let after: Person
  let poor: Person
  let refundedBefore: string
  let cancelled: Campaign
  let draft: Campaign
  let abandoned: Campaign
  let reconciled: Reconciled

  beforeAll(async () => {
    t = await startTestApp(env)
    developer = await t.signUp('DEVELOPER')
    admin = await t.signUp('ADMIN')
    ;[before, inTransit, after, poor] = [
      await paidTester(t, developer, admin, 1500),
      await paidTester(t, developer, admin, 1500),
      await paidTester(t, developer, admin, 3000),
      await t.signUp('TESTER'),
    ]
    await withdraw(before)
    cancelled = await liveCampaign(developer, admin)
    const refunded = await liveCampaign(developer, admin)
    await t.advance(1)
    // In transit at the time of the backup.
    await withdraw(inTransit)
    await cancel(developer, refunded.id)
    refundedBefore = await paymentOf(refunded.id)
    draft = await draftOf(developer)
    abandoned = await draftOf(developer)
    const cancelledPayment = await paymentOf(cancelled.id)
    const original = t.databaseUrl
    await t.stop()
    const copy = await copyOf(original, `restored_${randomBytes(6).toString('hex')}`)

    // The original continues: money in transit arrives, and more is paid, refunded and charged.
    t = await startOn(original)
    ;[developer, admin] = [await again(developer), await again(admin)]
    await t.advance(1)
    await withdraw(await again(after))
    const lateJoiner = await paidTester(t, developer, admin, 2000)
    await withdraw(lateJoiner, 2000)
    await cancel(developer, cancelled.id)
    await fund(developer, draft)
    await fund(developer, abandoned)
    await t.advance(1)
    expect(await brokenChecks()).toEqual([])
    await t.stop()

    t = await startTestApp({ ...env, SANDBOX_FILE: join(folder, 'not there') }, { via: () => pausedCopy(copy) })
    movements = (await openMovements(env['SANDBOX_FILE']!, { write: false }))!
    expect(await movedTo(cancelledPayment, 'REFUND')).toBe(3450)
    ;[developer, admin, before, inTransit, after] = [
      await again(developer),
      await again(admin),
      await again(before),
      await again(inTransit),
      await again(after),
    ]
  })

  /** The state after a restore: paused before any server starts. */
  const pausedCopy = async (url: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(
      `insert into job_pauses (id, reason, note, paused_at) values (gen_random_uuid(), 'RESTORED', 'Restored', now())`,
    )
    await client.end()
    return url
  }

  test('pays, refunds and emails nothing, and takes no withdrawal and no payment', async () => {
    const sent = await readdir(t.mailFolder).catch(() => [])
    await t.advance(30)
    expect(await readdir(t.mailFolder).catch(() => [])).toEqual(sent)
    expect(await t.look(`select status from withdrawals where tester_id = $1`, [inTransit.user.id])).toEqual([
      { status: 'PENDING' },
    ])
    expect(await withdraw(after)).toMatchObject({ status: 503 })
    expect(await fund(developer, draft)).toMatchObject({ status: 503 })
    expect((await admin.call('POST', '/admin/operations/resume-jobs')).status).toBe(409)
  })

  test('is resumed neither before the provider was asked nor without the keys', async () => {
    expect(await refusal()).toContain('has not been compared with the provider’s file yet')
    useEncryptionKeys([randomBytes(32).toString('base64')])
    expect(await reconcile(fileHistory(movements))).toMatchObject({ keysOpen: false })
    expect(await refusal()).toContain('The current encryption key cannot decrypt')
    useEncryptionKeys([key])
    expect(await refusal()).toContain('Run `npm run reconcile`')
  })

  test('lists what the provider did meanwhile, as often as it is asked', async () => {
    reconciled = await reconcile(fileHistory(movements))
    expect(await reconcile(fileHistory(movements))).toEqual(reconciled)
    const { findings, found, keysOpen } = reconciled
    expect(keysOpen).toBe(true)
    expect(found).toMatchObject({ ARRIVED: 2, LOST_PAYOUT: 2, LOST_REFUND: 1, UNKNOWN: 0, DIFFERS: 0 })
    const of = (kind: string) => findings.filter(finding => finding.kind === kind).map(finding => finding.of)
    expect(of('ARRIVED').toSorted()).toEqual([inTransit.user.id, refundedBefore].toSorted())
    expect(of('LOST_PAYOUT')).toContain(after.user.id)
    // Includes the campaign of the late tester, who is unknown here.
    expect(of('LOST_CHARGE')).toEqual(expect.arrayContaining([draft.id, abandoned.id]))
  })

  test('is not resumed when the provider has moved money since', async () => {
    const writer = (await openMovements(env['SANDBOX_FILE']!, { write: true }))!
    const id = '019e8a00-0000-7000-8000-00000000000a'
    const more = { key: id, id, kind: 'PAYOUT', amountCents: 500, of: poor.user.id } as const
    await writer.record({ ...more, declined: null, at: '2026-11-22T12:00:00.000Z' })
    await writer.close()
    expect(await refusal()).toContain('The provider has moved money since')
    await reconcile(fileHistory(movements))
  })

  test('is resumed by the command, which the audit log records; emails of the original are not sent again', async () => {
    expect(await resume(how())).toMatchObject({ lost: 4, pause: { reason: 'RESTORED' } })
    expect(await openPause(autocommit)).toBeUndefined()
    expect(await refusal()).toBe('Jobs are not paused.')
    const [entry] = await t.look(
      `select action, admin_id, facts->>'lostMovements' as lost from audit_log order by id desc limit 1`,
    )
    expect(entry).toEqual({ action: 'jobs.resume', admin_id: null, lost: '4' })
    await t.advance(1)
    const subjects = (await t.look<{ name: string }>(`select name from pgboss.job where state = 'cancelled'`)).length
    expect(subjects).toBeGreaterThan(0)
  })

  test('pays nobody again: payouts that had arrived are recorded, and unknown ones are deducted from the balance', async () => {
    for (const [tester, balance] of [
      [before, 0],
      [inTransit, 0],
      [after, 1500],
    ] as const) {
      expect(await balanceOf(tester)).toBe(balance)
      expect(await movedTo(tester.user.id, 'PAYOUT')).toBe(1500)
    }
    expect(await t.look(`select distinct status from withdrawals`)).toEqual([{ status: 'COMPLETED' }])
    expect((await withdraw(after)).status).toBe(201)
    await t.advance(1)
    expect(await movedTo(after.user.id, 'PAYOUT')).toBe(3000)
    expect(await balanceOf(after)).toBe(0)
  })

  test('books an uncovered payout only once the balance covers it, and allows no withdrawal before', async () => {
    poor = await again(poor)
    expect(await withdraw(poor, 1000)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('$5.00 was paid out to you before we restored our data') as string },
    })
    expect((await withdraw(before, 1000)).status).toBe(422)
  })

  test('can cancel again a campaign that the original cancelled, without paying its refund again', async () => {
    const payment = await paymentOf(cancelled.id)
    expect((await cancel(developer, cancelled.id)).status).toBe(200)
    await t.advance(1)
    expect(await t.look(`select distinct status from refunds`)).toEqual([{ status: 'COMPLETED' }])
    expect(await movedTo(payment, 'REFUND')).toBe(3450)
    expect(await movedTo(refundedBefore, 'REFUND')).toBe(3450)
  })

  test('gives a lost charge back when its campaign is paid for again, or after a day', async () => {
    const [lost] = [...(await movements.all()).values()].filter(({ of }) => of === draft.id)
    expect((await fund(developer, draft)).status).toBe(200)
    expect(await movedTo(draft.id, 'CHARGE')).toBe(6900)
    expect(await movedTo(lost!.id, 'VOID')).toBe(3450)
    await t.advance(26)
    const { findings } = await reconcile(fileHistory(movements))
    expect(findings.filter(({ kind }) => kind === 'LOST_CHARGE')).toEqual([])
    const [charge] = [...(await movements.all()).values()].filter(({ of }) => of === abandoned.id)
    expect(await movedTo(charge!.id, 'VOID')).toBe(3450)
    // Paying now makes another charge.
    expect((await fund(developer, abandoned)).status).toBe(200)
    expect(await movedTo(abandoned.id, 'CHARGE')).toBe(6900)
  })

  test('has books that balance, and the provider knows nothing that they do not', async () => {
    await t.advance(1)
    expect(await brokenChecks()).toEqual([])
    const { found } = await reconcile(fileHistory(movements))
    expect(found).toMatchObject({ ARRIVED: 0, LOST_PAYOUT: 0, LOST_REFUND: 0, LOST_CHARGE: 0, UNKNOWN: 0, DIFFERS: 0 })
  })

  test('needs the consent of the person who resumes for payments that the provider does not know', async () => {
    await t.look(`update withdrawals set amount_cents = amount_cents + 1 where tester_id = $1`, [before.user.id])
    await transact(tx => pauseJobs(tx, { reason: 'RESTORED', note: 'Again' }))
    expect((await reconcile(fileHistory(movements))).found).toMatchObject({ DIFFERS: 1 })
    expect(await refusal()).toContain('1 movement does not match the provider’s records')
    await t.look(`update withdrawals set amount_cents = amount_cents - 1 where tester_id = $1`, [before.user.id])
    await t.look(`insert into payments (id, campaign_id, developer_id, amount_cents, provider, counterparty, status, created_at)
      select gen_random_uuid(), campaign_id, developer_id, 100, 'sandbox', 'x', 'COMPLETED', now() from payments limit 1`)
    expect((await reconcile(fileHistory(movements))).found).toMatchObject({ UNKNOWN: 1 })
    expect(await resume({ ...how(), acceptDifferences: true })).toMatchObject({ lost: 0 })
  })
})

test('refuses the file of another database', async () => {
  const foreign = join(folder, 'foreign.jsonl')
  await writeFile(foreign, '{"sandbox":"7b1f4c3e-7c1d-4f57-9a39-3f6f0b0d7f11"}\n')
  const opened = (await openMovements(foreign, { write: false }))!
  await expect(reconcile(fileHistory(opened))).rejects.toThrow('movements of another database')
  await opened.close()
})
