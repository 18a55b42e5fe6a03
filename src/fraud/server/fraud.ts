/** Use cases of fraud reports: look, decide, samples, clear (product.md §6). */
import { randomUUIDv7 } from 'node:crypto'
import { attachedAmong } from '../../attachments/server/attachments.ts'
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { clock } from '../../kit/clock.ts'
import type { NumberedPage, SignedIn } from '../../kit/endpoint.ts'
import { percentOf } from '../../kit/money.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { numberedPageOf } from '../../kit/server/numberedLists.ts'
import type { Evidence, FraudReport, FraudReportFile, FraudReportQuery, FraudStats } from '../contract.ts'
import { assertOpen } from '../rules.ts'
import { samplesOn } from '../samples.ts'
import { detailsOf, evidenceOf, type Fact, reasonOf } from '../words.ts'
import * as queries from './queries.ts'
import { toScan } from './scan.ts'
import { lastScan, scanUnderWay } from './scan.queries.ts'

export { concernsSomebody } from './queries.ts'

/** Those of these people whom an open report of severity HIGH or above names. */
export const gravelyReported = async (tx: Tx, userIds: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await queries.gravelyReported(tx, userIds)).map(({ id }) => id))

/** Whether an open report of severity HIGH or above is about this person, rather than only naming them. */
export const isGravelyReported = (tx: Tx, userId: string): Promise<boolean> => queries.isGravelyReported(tx, userId)

/** Loads all people, campaigns and files in a page's evidence, with one statement for each kind. */
const withNames = async (tx: Tx, rows: queries.ReportRow[]): Promise<FraudReport[]> => {
  const evidence = rows.map(evidenceOf)
  const facts = evidence.flat()
  const fileIds = idsOf(facts, 'attachmentId')
  const [people, titles, files] = await Promise.all([
    queries.namesOf(tx, idsOf(facts, 'userId')),
    queries.titlesOf(tx, idsOf(facts, 'campaignId')),
    fileIds.length > 0 ? attachedAmong(tx, fileIds) : [],
  ])
  const toEvidence = ({ label, value, at, userId, campaignId, attachmentId }: Fact): Evidence => ({
    label,
    value,
    at: at ?? null,
    user: people.get(userId ?? '') ?? null,
    campaign: titles.get(campaignId ?? '') ?? null,
    attachment: files.find(({ id }) => id === attachmentId) ?? null,
  })
  return rows.map((row, place) => toReport(row, evidence[place]!.map(toEvidence)))
}

const idsOf = (facts: readonly Fact[], key: 'userId' | 'campaignId' | 'attachmentId') => [
  ...new Set(facts.map(fact => fact[key]).filter(id => id !== undefined)),
]

const toReport = (row: queries.ReportRow, evidence: Evidence[]): FraudReport => ({
  ...row,
  eventData: { severity: row.severity, reason: reasonOf(row.kind), details: detailsOf(row), evidence },
  user: {
    id: row.userId,
    name: row.userName,
    email: row.userEmail,
    createdAt: row.userCreatedAt,
    role: row.userRole,
    status: row.userDeleted ? 'DELETED' : row.userSuspended ? 'SUSPENDED' : 'ACTIVE',
  },
})

export const list = async ({
  page,
  limit,
  cursor,
  ...filters
}: FraudReportQuery): Promise<NumberedPage<FraudReport>> => {
  const reports = await queries.reportsList(autocommit, filters)
  const { data, ...numbers } = await numberedPageOf(autocommit, { page, limit, cursor }, reports)
  return { data: await withNames(autocommit, data), ...numbers }
}

const reportOf = async (tx: Tx, id: string): Promise<FraudReport> => {
  const [report] = await withNames(tx, [await queries.reportById(tx, id)])
  return report!
}

export const get = async (id: string): Promise<FraudReportFile> => {
  const report = await reportOf(autocommit, id)
  const [others, history] = await Promise.all([
    queries.othersOf(autocommit, report.user.id, id),
    historyOf(autocommit, report),
  ])
  return { ...report, others: others.map(other => ({ ...other, reason: reasonOf(other.kind) })), history }
}

const historyOf = async (tx: Tx, report: FraudReport): Promise<FraudReportFile['history']> => {
  const { createdAt, status, resolution, adminId, decidedAt } = report
  const reported = { at: createdAt, event: 'REPORTED' as const, by: null, note: null }
  if (status === 'OPEN' || adminId === null || decidedAt === null) return [reported]
  return [reported, { at: decidedAt, event: status, by: await queries.nameOf(tx, adminId), note: resolution }]
}

export const stats = async (): Promise<FraudStats> => {
  const [tallies, running, last] = await Promise.all([
    queries.tallies(autocommit),
    scanUnderWay(autocommit),
    lastScan(autocommit),
  ])
  const count = (which: Partial<queries.Tally>) =>
    tallies
      .filter(tally => Object.entries(which).every(([key, value]) => tally[key as keyof queries.Tally] === value))
      .reduce((sum, tally) => sum + tally.count, 0)
  const total = count({})
  const resolved = count({ status: 'RESOLVED' })
  return {
    total,
    bySeverity: {
      CRITICAL: count({ severity: 'CRITICAL' }),
      HIGH: count({ severity: 'HIGH' }),
      MEDIUM: count({ severity: 'MEDIUM' }),
      LOW: count({ severity: 'LOW' }),
    },
    byStatus: { OPEN: count({ status: 'OPEN' }), RESOLVED: resolved, DISMISSED: count({ status: 'DISMISSED' }) },
    samples: count({ isSample: true }),
    resolved,
    resolutionPercent: percentOf(resolved, total),
    runningScan: running ? toScan(running) : null,
    lastScan: last ? toScan(last) : null,
  }
}

/** If two admins decide at once, the second waits for the first one's lock and is refused. */
const decide = (
  admin: SignedIn,
  id: string,
  status: 'RESOLVED' | 'DISMISSED',
  resolution: string,
): Promise<FraudReport> =>
  transact(async tx => {
    assertOpen((await queries.lockReport(tx, id)).status, status)
    await queries.setDecided(tx, id, { status, resolution, adminId: admin.id, now: clock.now() })
    const action = status === 'RESOLVED' ? 'fraud.resolve' : 'fraud.dismiss'
    await auditIfAdmin(tx, admin, { action, subjectType: 'fraud-report', subjectId: id, facts: { reason: resolution } })
    return reportOf(tx, id)
  })

export const resolve = (admin: SignedIn, id: string, resolution: string): Promise<FraudReport> =>
  decide(admin, id, 'RESOLVED', resolution)

export const dismiss = (admin: SignedIn, id: string, reason: string): Promise<FraudReport> =>
  decide(admin, id, 'DISMISSED', reason)

const mostSamplePeople = 5

export const generateSamples = (admin: SignedIn, key: string | null): Promise<{ created: number }> =>
  transactOnce({
    userId: admin.id,
    key,
    call: 'generate-samples',
    asked: {},
    subjectId: admin.id,
    effect: async tx => {
      const now = clock.now()
      const samples = samplesOn(await queries.samplePeople(tx, mostSamplePeople), now)
      for (const sample of samples) await queries.insertSample(tx, sample, { id: randomUUIDv7(), now })
      await auditMany(tx, admin, 'fraud.generate-samples', { created: samples.length })
    },
    // The number does not depend on the users.
    answer: async userId => ({ created: samplesOn([{ userId }], clock.now()).length }),
  })

export const clear = (admin: SignedIn): Promise<{ samplesRemoved: number; archived: number }> =>
  transact(async tx => {
    const samplesRemoved = await queries.removeSamples(tx)
    const archived = await queries.archiveReports(tx, clock.now())
    await auditMany(tx, admin, 'fraud.clear', { samplesRemoved, archived })
    return { samplesRemoved, archived }
  })

/** An action that concerns no single report, so the entry gets an id of its own as its subject. */
const auditMany = (
  tx: Tx,
  admin: SignedIn,
  action: 'fraud.generate-samples' | 'fraud.clear',
  facts: Record<string, number>,
) => auditIfAdmin(tx, admin, { action, subjectType: 'fraud', subjectId: randomUUIDv7(), facts })
