/** An admin pauses the jobs, everyone who runs the product sees it, and an admin resumes them. */
import { beforeAll, expect, test } from 'vitest'
import type { AuditEntry } from '../../audit/contract.ts'
import type { Needs } from '../../dashboards/contract.ts'
import { transact } from '../../kit/server/db.ts'
import { pauseJobs } from '../../kit/server/pauses.ts'
import { daysAndProof, joinedBy, liveCampaign, paidTester } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Operations } from '../contract.ts'

const t = testApp({ METRICS_TOKEN: 'token-for-the-pauses' })
const admin = signedUp(t, 'ADMIN', { name: 'Ann Archer' })
const owner = signedUp(t, 'DEVELOPER')
let tester: Awaited<ReturnType<typeof paidTester>>
let waiting: string
beforeAll(async () => {
  tester = await paidTester(t, owner, admin, 5000)
  const { id } = await liveCampaign(owner, admin, { testersRequired: 1, durationDays: 1 })
  const person = await t.signUp('TESTER')
  const participationId = (await joinedBy(person, id)).id
  await daysAndProof(t, [{ person, participationId }], 1)
  waiting = participationId
})

const operations = async () => (await admin.call<Operations>('GET', '/admin/operations')).body
const pause = (reason = 'The provider is down.') =>
  admin.call<{ message: string }>('POST', '/admin/operations/pause-jobs', { reason })
const resume = () => admin.call<{ message: string }>('POST', '/admin/operations/resume-jobs')
const kinds = async () => (await admin.call<Needs>('GET', '/dashboard/needs')).body.needs.map(({ kind }) => kind)
const metrics = async () =>
  (await t.app.inject({ url: '/metrics', headers: { authorization: 'Bearer token-for-the-pauses' } })).payload
const statusOf = async (table: string, column: string, id: string) =>
  (await t.look<{ status: string }>(`select status from ${table} where ${column} = $1`, [id]))[0]?.status

test('while jobs are paused, payouts and deadlines stand still, and afterwards they catch up', async () => {
  await tester.call('POST', '/testers/withdraw', { amountCents: 1500 })
  expect((await pause()).status).toBe(204)
  // Far longer than the hours after which an unreviewed proof is verified.
  await t.advance(24 * 10)
  expect(await statusOf('withdrawals', 'tester_id', tester.user.id)).toBe('PENDING')
  expect(await statusOf('participations', 'id', waiting)).toBe('SUBMITTED')
  expect((await resume()).status).toBe(204)
  await t.advance(24 * 10)
  expect(await statusOf('withdrawals', 'tester_id', tester.user.id)).toBe('COMPLETED')
  expect(await statusOf('participations', 'id', waiting)).toBe('VERIFIED')
})

test('the operations page shows who paused jobs, since when and why; the list of what needs an admin and the metrics show the pause', async () => {
  expect(await operations()).toMatchObject({ pause: null })
  expect(await kinds()).not.toContain('JOBS_PAUSED')
  expect(await metrics()).toContain('fieldtest_jobs_paused 0')
  await pause()
  await t.advance(2)
  const { pause: shown, queues } = await operations()
  expect(shown).toMatchObject({ reason: 'ADMIN', note: 'The provider is down.', by: 'Ann Archer', reconciledAt: null })
  const paused = queues.filter(queue => queue.paused).map(({ name }) => name)
  expect(paused).toEqual(expect.arrayContaining(['ledger.pay-out', 'ledger.pay-refund-part', 'participations.wake']))
  expect(paused).not.toContain('play-addresses.erase')
  expect(paused).not.toContain('notifications.send-mail')
  expect(await kinds()).toContain('JOBS_PAUSED')
  const told = await metrics()
  expect(told).toContain('fieldtest_jobs_paused 1')
  expect(Number(/^fieldtest_jobs_paused_seconds (\d+)/m.exec(told)?.[1])).toBeGreaterThanOrEqual(7200)
  await resume()
})

test('a second pause and a second resume are refused, and the audit log has both actions with the reason', async () => {
  await pause('Twice.')
  expect(await pause()).toMatchObject({ status: 409, body: { message: 'The jobs are already paused.' } })
  await resume()
  expect(await resume()).toMatchObject({ status: 409, body: { message: 'The jobs are not paused.' } })
  const log = (await admin.call<{ data: AuditEntry[] }>('GET', '/admin/audit-log?limit=2')).body.data
  expect(log.map(({ action, facts, admin: who }) => [action, facts, who?.name])).toEqual([
    ['jobs.resume', { pausedBecause: 'Twice.' }, 'Ann Archer'],
    ['jobs.pause', { reason: 'Twice.' }, 'Ann Archer'],
  ])
})

test('a pause needs a reason', async () => {
  expect((await pause('   ')).status).toBe(400)
  expect((await operations()).pause).toBeNull()
})

test('a restored copy is resumed only by the command on the server', async () => {
  await transact(tx => pauseJobs(tx, { reason: 'RESTORED', note: 'Restored from a backup.' }))
  expect((await operations()).pause).toMatchObject({ reason: 'RESTORED', by: null })
  expect(await resume()).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('npm run resume') as string },
  })
})
