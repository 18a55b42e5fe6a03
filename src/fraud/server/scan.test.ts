import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { runDueJobs } from '../../kit/server/dueJobs.ts'
import { enqueue } from '../../kit/server/jobs.ts'
import { password } from '../../testing/app.ts'
import { fraudScan } from '../../testing/fraudScan.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { FraudReport, FraudScan, FraudStats } from '../contract.ts'
import { throwAwayMail } from '../throwAwayMail.ts'
import { detectors } from './detectors.ts'
import { runScan } from './scan.ts'
import { endScan, reportFindings } from './scan.queries.ts'

const t = testApp({}, { fresh: true })
const admin = signedUp(t, 'ADMIN')

const reports = async (): Promise<FraudReport[]> =>
  (await admin.call<{ data: FraudReport[] }>('GET', '/admin/fraud-reports')).body.data

const scan = () => fraudScan(t, admin)

const stats = async () => (await admin.call<FraudStats>('GET', '/admin/fraud-reports/stats')).body

describe('a scan reports a finding once', () => {
  test('a second run reports nothing more, until another account joins', async () => {
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await scan()
    expect(await scan()).toHaveLength(1)
    const third = await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    const found = await scan()
    expect(found.map(({ user, eventData }) => [user.id, eventData.severity])).toEqual([
      [third.user.id, 'HIGH'],
      [expect.any(String), 'MEDIUM'],
    ])
    expect(await scan()).toHaveLength(2)
  })

  test('even after it was decided or archived, or if everything is scanned again', async () => {
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    const [report] = await scan()
    await admin.call('POST', `/admin/fraud-reports/${report!.id}/dismiss`, { reason: 'Siblings.' })
    await t.look('delete from fraud_detectors')
    expect(await scan()).toHaveLength(1)
    await admin.call('DELETE', '/admin/fraud-reports/clear')
    await t.look('delete from fraud_detectors')
    expect(await scan()).toEqual([])
  })

  test('data from long before the last scan is not scanned again', async () => {
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.advance(3)
    await t.look('truncate fraud_finding_parts')
    await t.look(`update fraud_reports set archived_at = now()`)
    expect(await scan()).toEqual([])
  })
})

test('what a slow transaction wrote just before the last scan, and committed after it, is found by the next one', async () => {
  const [first, second] = [await t.signUp('TESTER'), await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })]
  expect(await scan()).toEqual([])
  await t.look(
    `update sessions set device_fingerprint = 'phone-1', created_at = created_at - interval '30 minutes' where user_id = $1`,
    [first.user.id],
  )
  expect((await scan()).map(({ user }) => user.id)).toContain(second.user.id)
})

describe('scans', () => {
  test('two triggers during a running scan make one scan, each with its own audit entry', async () => {
    const triggers = await Promise.all(
      Array.from({ length: 4 }, () => admin.call<FraudScan>('POST', '/admin/fraud-scan/trigger')),
    )
    expect(new Set(triggers.map(({ body }) => body.id)).size).toBe(1)
    expect(triggers[0]).toMatchObject({ status: 200, body: { state: 'QUEUED', found: null } })
    expect((await stats()).runningScan).not.toBeNull()
    await runDueJobs()
    const after = await stats()
    expect(after).toMatchObject({ runningScan: null, lastScan: { id: triggers[0]!.body.id, state: 'DONE', found: 0 } })
    expect(after.lastScan!.durationMs).toBeGreaterThanOrEqual(0)
    const audit = await t.look<{ subject_id: string; facts: object }>(
      `select subject_id, facts from audit_log where action = 'fraud.scan' order by id`,
    )
    expect(audit.map(row => row.subject_id)).toEqual(triggers.map(({ body: { id } }) => id))
    // One of them started it.
    expect(audit.filter(({ facts }) => !('running' in facts))).toHaveLength(1)
  })

  test('one runs every night, and is not recorded as an admin’s action', async () => {
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.advance(24)
    expect(await reports()).toHaveLength(1)
    expect(await t.look(`select from audit_log where action = 'fraud.scan'`)).toEqual([])
  })

  test('one whose detector fails says so, keeps what the others found, and does not block later ones', async () => {
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    const { 'same-proof': sound } = detectors
    detectors['same-proof'] = { ...sound!, suspects: () => Promise.reject(new Error('broken on purpose')) }
    try {
      expect(await scan()).toHaveLength(1)
    } finally {
      detectors['same-proof'] = sound!
    }
    expect(await stats()).toMatchObject({ runningScan: null, lastScan: { state: 'FAILED', found: 1 } })
    await scan()
    expect(await stats()).toMatchObject({ runningScan: null, lastScan: { state: 'DONE', found: 0 } })
  })

  test('one whose server died is given up, and one whose job runs twice is done once', async () => {
    const lost = (await admin.call<FraudScan>('POST', '/admin/fraud-scan/trigger')).body
    await t.look(`delete from pgboss.job where name = 'fraud.scan'`)
    await t.advance(2)
    const fresh = (await admin.call<FraudScan>('POST', '/admin/fraud-scan/trigger')).body
    expect(fresh.id).not.toBe(lost.id)
    await enqueue(autocommit, runScan, { scanId: lost.id })
    await runDueJobs()
    expect(await t.look<{ state: string }>('select state from fraud_scans where id = $1', [lost.id])).toEqual([
      { state: 'FAILED' },
    ])
    expect(await t.look<{ state: string }>('select state from fraud_scans where id = $1', [fresh.id])).toEqual([
      { state: 'DONE' },
    ])
  })

  test('one that began late has two hours from then on', async () => {
    const late = (await admin.call<FraudScan>('POST', '/admin/fraud-scan/trigger')).body
    await t.look(`delete from pgboss.job where name = 'fraud.scan'`)
    await t.look(
      `update fraud_scans set state = 'RUNNING', started_at = requested_at, requested_at = requested_at - interval '3 hours'`,
    )
    expect((await admin.call<FraudScan>('POST', '/admin/fraud-scan/trigger')).body.id).toBe(late.id)
  })

  test('one that was given up stays so, whenever its server ends it', async () => {
    const { id } = (await admin.call<FraudScan>('POST', '/admin/fraud-scan/trigger')).body
    await t.look(`delete from pgboss.job where name = 'fraud.scan'`)
    await t.advance(2)
    await scan()
    await endScan(autocommit, { id, state: 'DONE', found: 0, now: clock.now() })
    expect(await t.look('select state from fraud_scans where id = $1', [id])).toEqual([{ state: 'FAILED' }])
  })
})

test('an account that is deleted between the finding and its report is skipped', async () => {
  const [gone, there] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  const findings = [gone, there].map(({ user }) => ({
    ...throwAwayMail(
      {
        userId: user.id,
        role: 'TESTER',
        suspended: false,
        domain: 'x.test',
        createdAt: user.createdAt,
        confirmedAt: null,
      },
      new Set(['x.test']),
    )!,
    id: randomUUID(),
  }))
  expect((await gone.call('DELETE', '/users/me', { password })).status).toBe(204)
  expect(await reportFindings(autocommit, findings, clock.now())).toBe(1)
  expect((await reports()).map(({ user }) => user.id)).toEqual([there.user.id])
})
