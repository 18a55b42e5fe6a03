import { expect, test } from 'vitest'
import type { AuditEntry } from '../../audit/contract.ts'
import type { ErrorBody } from '../../kit/errors.ts'
import { forgetAgain } from '../../accounts/server/accounts.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { FraudReport, FraudReportFile, FraudStats } from '../contract.ts'

type Page = { data: FraudReport[]; page: number; limit: number; total: number }

const t = testApp({}, { fresh: true })
const admin = signedUp(t, 'ADMIN', { name: 'Ada Admin' })

const list = async (query = ''): Promise<Page> => (await admin.call<Page>('GET', `/admin/fraud-reports${query}`)).body
const stats = async (): Promise<FraudStats> => (await admin.call<FraudStats>('GET', '/admin/fraud-reports/stats')).body
const samples = () => admin.call<{ created: number }>('POST', '/admin/fraud-reports/generate-samples')
const audits = async (action: string) =>
  t.look<{ admin_id: string; subject_type: string; subject_id: string; facts: Record<string, unknown> }>(
    'select admin_id, subject_type, subject_id, facts from audit_log where action = $1 order by id',
    [action],
  )

/** A report found by a scan: one device, two accounts. */
const found = async (): Promise<FraudReport> => {
  const deviceFingerprint = `phone ${await t.look<{ n: number }>('select count(*)::int as n from users').then(rows => rows[0]!.n)}`
  await t.signUp('TESTER', { deviceFingerprint })
  const { user } = await t.signUp('TESTER', { deviceFingerprint })
  await admin.call('POST', '/admin/fraud-scan/trigger')
  await t.advance(0)
  return (await list()).data.find(report => report.user.id === user.id)!
}

test('an empty list is an empty page, and its figures are zero', async () => {
  expect(await list()).toEqual({ data: [], page: 1, limit: 50, total: 0, totalIsEstimate: false })
  expect(await stats()).toEqual({
    total: 0,
    bySeverity: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0 },
    byStatus: { OPEN: 0, RESOLVED: 0, DISMISSED: 0 },
    samples: 0,
    resolved: 0,
    resolutionPercent: 0,
    runningScan: null,
    lastScan: null,
  })
})

test('samples are marked, cover all severities, name existing users, and leave one audit entry', async () => {
  await Promise.all([t.signUp('TESTER'), t.signUp('TESTER'), t.signUp('DEVELOPER')])
  // Samples name an admin only if there are too few other users, and never a second one.
  const colleague = await t.signUp('ADMIN')
  expect(await samples()).toMatchObject({ status: 201, body: { created: 5 } })
  const { data } = await list()
  expect(data.every(({ isSample, status }) => isSample && status === 'OPEN')).toBe(true)
  expect(new Set(data.map(({ eventData }) => eventData.severity))).toEqual(
    new Set(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']),
  )
  expect(new Set(data.map(({ user }) => user.id)).size).toBe(4)
  expect(data.map(({ user }) => user.id)).not.toContain(colleague.user.id)
  expect(data.every(({ eventData }) => eventData.evidence.length > 1)).toBe(true)
  const entries = await audits('fraud.generate-samples')
  expect(entries).toMatchObject([{ admin_id: admin.user.id, facts: { created: 5 } }])
  expect(await stats()).toMatchObject({ total: 5, samples: 5 })
})

test('samples work when the admin is the only user', async () => {
  expect((await samples()).body.created).toBe(5)
  expect(new Set((await list()).data.map(({ user }) => user.id))).toEqual(new Set([admin.user.id]))
})

test('pages start from the newest and add up', async () => {
  await t.signUp('TESTER')
  await samples()
  await samples()
  const all = (await list()).data.map(({ id }) => id)
  expect(all).toEqual(all.toSorted().toReversed())
  const pages = [await list('?page=1&limit=4'), await list('?page=2&limit=4'), await list('?page=3&limit=4')]
  expect(pages.map(({ data, page, limit, total }) => [data.length, page, limit, total])).toEqual([
    [4, 1, 4, 10],
    [4, 2, 4, 10],
    [2, 3, 4, 10],
  ])
  expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(all)
})

test.each([[null], [5], ['x'.repeat(200)], [{ id: 'whoever' }], [[]]])(
  'adminId is ignored, whatever it is: %j',
  async adminId => {
    for (const [decision, words] of [
      ['resolve', { resolution: 'Suspended.' }],
      ['dismiss', { reason: 'A family.' }],
    ] as const) {
      const { id } = await found()
      const reply = await admin.call<FraudReport>('POST', `/admin/fraud-reports/${id}/${decision}`, {
        ...words,
        adminId,
      })
      expect(reply).toMatchObject({ status: 200, body: { adminId: admin.user.id } })
    }
  },
)

test('resolving records the signed-in admin, whatever adminId says, and leaves one audit entry', async () => {
  const report = await found()
  const somebodyElse = await t.signUp('ADMIN')
  const { status, body } = await admin.call<FraudReport>('POST', `/admin/fraud-reports/${report.id}/resolve`, {
    resolution: ' Both accounts suspended. ',
    adminId: somebodyElse.user.id,
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: report.id,
    status: 'RESOLVED',
    adminId: admin.user.id,
    resolution: 'Both accounts suspended.',
  })
  expect(body.decidedAt).not.toBeNull()
  expect(await audits('fraud.resolve')).toEqual([
    {
      admin_id: admin.user.id,
      subject_type: 'fraud-report',
      subject_id: report.id,
      facts: { reason: 'Both accounts suspended.' },
    },
  ])
  expect(await stats()).toMatchObject({
    total: 1,
    resolved: 1,
    resolutionPercent: 100,
    byStatus: { OPEN: 0, RESOLVED: 1 },
  })
})

test('a decided report cannot be decided again: 409 with a message, and nothing changes', async () => {
  const report = await found()
  await admin.call('POST', `/admin/fraud-reports/${report.id}/dismiss`, { reason: 'A family.' })
  for (const [call, sent] of [
    ['resolve', { resolution: 'No.' }],
    ['dismiss', { reason: 'Again.' }],
  ] as const) {
    const again = await admin.call<ErrorBody>('POST', `/admin/fraud-reports/${report.id}/${call}`, sent)
    expect(again).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(again.body.message).toBe(
      `This report is already dismissed, so it cannot be ${call === 'resolve' ? 'resolved' : 'dismissed'}.`,
    )
  }
  expect((await list()).data).toMatchObject([{ status: 'DISMISSED', resolution: 'A family.' }])
  expect([...(await audits('fraud.dismiss')), ...(await audits('fraud.resolve'))]).toHaveLength(1)
})

test('if many decide at once, exactly one succeeds, with one audit entry', async () => {
  const { id } = await found()
  const other = await t.signUp('ADMIN')
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      (index % 2 ? admin : other).call(
        'POST',
        `/admin/fraud-reports/${id}/${index % 4 < 2 ? 'resolve' : 'dismiss'}`,
        index % 4 < 2 ? { resolution: 'Done.' } : { reason: 'Nothing.' },
      ),
    ),
  )
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(409)])
  expect([...(await audits('fraud.dismiss')), ...(await audits('fraud.resolve'))]).toHaveLength(1)
})

test('a report’s details include its history and the user’s other reports', async () => {
  const first = await found()
  await t.call('POST', '/auth/login', {
    body: { email: first.user.email, password: 'correct horse', deviceFingerprint: 'another phone' },
  })
  const before = (
    await t.look<{ email: string }>(`select email from users where role = 'TESTER' order by id limit 1`)
  )[0]!
  await t.call('POST', '/auth/login', {
    body: { email: before.email, password: 'correct horse', deviceFingerprint: 'another phone' },
  })
  await admin.call('POST', '/admin/fraud-scan/trigger')
  await t.advance(0)
  await admin.call('POST', `/admin/fraud-reports/${first.id}/dismiss`, { reason: 'A family.' })
  const { body } = await admin.call<FraudReportFile>('GET', `/admin/fraud-reports/${first.id}`)
  expect(body.history).toEqual([
    { at: first.createdAt, event: 'REPORTED', by: null, note: null },
    { at: body.decidedAt, event: 'DISMISSED', by: 'Ada Admin', note: 'A family.' },
  ])
  expect((await list()).total).toBe(2)
})

test('a report’s details list the user’s other reports with their reasons', async () => {
  await samples()
  const { data } = await list()
  const { body } = await admin.call<FraudReportFile>('GET', `/admin/fraud-reports/${data[0]!.id}`)
  expect(body.others).toEqual(
    data.slice(1).map(({ id, createdAt, status, eventData: { severity, reason } }) => ({
      id,
      createdAt,
      severity,
      status,
      reason,
    })),
  )
})

test('a report’s details leave out the user’s reports that were cleared', async () => {
  const { user } = await found()
  await admin.call('DELETE', '/admin/fraud-reports/clear')
  await samples()
  const [report, ...others] = (await list()).data.filter(one => one.user.id === user.id)
  const { body } = await admin.call<FraudReportFile>('GET', `/admin/fraud-reports/${report!.id}`)
  expect(body.others.map(({ id }) => id)).toEqual(others.map(({ id }) => id))
})

test('samples can be listed alone or left out', async () => {
  const report = await found()
  await samples()
  expect((await list('?sample=false')).data.map(({ id }) => id)).toEqual([report.id])
  const only = await list('?sample=true&status=OPEN')
  expect([only.total, only.data.every(({ isSample }) => isSample)]).toEqual([5, true])
  expect((await list()).total).toBe(6)
})

test('the audit log keeps decisions on cleared reports, and says that the reports are gone', async () => {
  const report = await found()
  await samples()
  const { data } = await list('?sample=true')
  await admin.call('POST', `/admin/fraud-reports/${report.id}/resolve`, { resolution: 'Suspended.' })
  await admin.call('POST', `/admin/fraud-reports/${data[0]!.id}/resolve`, { resolution: 'A sample.' })
  const entries = async () =>
    (await admin.call<{ data: AuditEntry[] }>('GET', '/admin/audit-log?action=fraud.resolve')).body.data.map(
      ({ subject, cleared }) => [subject, cleared],
    )
  const before = await entries()
  expect(before.map(([, cleared]) => cleared)).toEqual([false, false])
  await admin.call('DELETE', '/admin/fraud-reports/clear')
  expect(await entries()).toEqual([
    [null, true],
    [report.user.name, true],
  ])
})

test('clear removes samples and archives the rest: gone from the list, figures and details, but kept in the database', async () => {
  const report = await found()
  await samples()
  expect(await admin.call('DELETE', '/admin/fraud-reports/clear')).toMatchObject({
    status: 200,
    body: { samplesRemoved: 5, archived: 1 },
  })
  expect((await list()).total).toBe(0)
  expect(await stats()).toMatchObject({ total: 0, samples: 0 })
  expect((await admin.call('GET', `/admin/fraud-reports/${report.id}`)).status).toBe(404)
  expect((await admin.call('POST', `/admin/fraud-reports/${report.id}/resolve`, { resolution: 'Late.' })).status).toBe(
    404,
  )
  expect(await t.look('select id from fraud_reports')).toEqual([{ id: report.id }])
  expect((await admin.call('DELETE', '/admin/fraud-reports/clear')).body).toEqual({ samplesRemoved: 0, archived: 0 })
  expect(await audits('fraud.clear')).toMatchObject([
    { admin_id: admin.user.id, facts: { samplesRemoved: 5, archived: 1 } },
    { facts: { samplesRemoved: 0, archived: 0 } },
  ])
  await expect(t.look('delete from fraud_reports')).rejects.toThrow('archived, never deleted')
})

test('after an account is deleted, no evidence names the user, and the device is forgotten', async () => {
  const deviceFingerprint = 'shared phone'
  const [leaver] = [
    await t.signUp('TESTER', { deviceFingerprint, name: 'Lea Leaver' }),
    await t.signUp('TESTER', { deviceFingerprint }),
  ]
  await admin.call('POST', '/admin/fraud-scan/trigger')
  await t.advance(0)
  expect(JSON.stringify(await list())).toContain('Lea Leaver')
  expect((await leaver.call('DELETE', '/users/me', { password: 'correct horse' })).status).toBe(204)
  expect(JSON.stringify(await list())).not.toContain('Lea Leaver')
  const kept = await t.look('select from sessions where user_id = $1 and device_fingerprint is not null', [
    leaver.user.id,
  ])
  expect(kept).toEqual([])
  await samples()
  expect((await list('?sample=true')).data.map(({ user }) => user.status)).not.toContain('DELETED')
})

const kinds = async () =>
  (await admin.call<{ needs: { kind: string }[] }>('GET', '/dashboard/needs')).body.needs.map(({ kind }) => kind)

test('a report about an account that is deleted says so, waits while it names somebody who is there, and can still be decided', async () => {
  const { id, user } = await found()
  expect(await kinds()).toContain('FRAUD')
  await forgetAgain(user.id)
  expect((await list()).data).toMatchObject([{ id, status: 'OPEN', user: { id: user.id, status: 'DELETED' } }])
  const { body } = await admin.call<FraudReportFile>('GET', `/admin/fraud-reports/${id}`)
  const named = body.eventData.evidence.map(fact => [fact.user?.id === user.id, fact.user?.isDeleted])
  expect(named).toEqual(
    expect.arrayContaining([
      [true, true],
      [false, false],
    ]),
  )
  expect(await kinds()).toContain('FRAUD')
  for (const fact of body.eventData.evidence) if (fact.user) await forgetAgain(fact.user.id)
  expect(await kinds()).not.toContain('FRAUD')
  const decided = await admin.call('POST', `/admin/fraud-reports/${id}/dismiss`, { reason: 'The account is gone.' })
  expect(decided).toMatchObject({ status: 200, body: { status: 'DISMISSED' } })
})

test.each([
  ['SAME_PROOF', 'submitted'],
  ['NEAR_PROOF', 'submitted'],
  ['SAME_PICTURE', 'attached'],
  ['SHARED_PLAY_ADDRESS', 'people'],
])('a %s report waits for another copier, and never for who was copied', async (kind, named) => {
  const [copied, other, last] = [await t.signUp('TESTER'), await t.signUp('TESTER'), await t.signUp('TESTER')]
  const facts = { [named]: [copied, other, last].map(({ user }) => ({ userId: user.id })) }
  await t.look(
    `insert into fraud_reports (id, user_id, status, severity, kind, facts, finding_key, is_sample, created_at)
      values (gen_random_uuid(), $1, 'OPEN', 'LOW', $2, $3, 'made for this test', false, now())`,
    [last.user.id, kind, JSON.stringify(facts)],
  )
  expect(await kinds()).toContain('FRAUD')
  await forgetAgain(last.user.id)
  expect(await kinds()).toContain('FRAUD')
  await forgetAgain(other.user.id)
  expect(await kinds()).not.toContain('FRAUD')
})
