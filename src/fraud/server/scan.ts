/**
 * The scan: every night, and when an admin asks. Only one runs at a time. A finding is reported once, and again if it has new
 * facts.
 */
import { randomUUIDv7 } from 'node:crypto'
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { enqueue, type Job } from '../../kit/server/jobs.ts'
import type { FraudScan } from '../contract.ts'
import type { Finding } from '../rules.ts'
import { detectors } from './detectors.ts'
import * as queries from './scan.queries.ts'

/** A scan that takes longer is given up, by its own job and by the next scan. */
const scanHours = 2
/** What a slow transaction wrote carries an earlier time than that at which it becomes visible. */
const overlapHours = 1

export const toScan = (row: queries.ScanRow): FraudScan => ({
  ...row,
  durationMs: row.startedAt && row.finishedAt ? Date.parse(row.finishedAt) - Date.parse(row.startedAt) : null,
})

/** The scan that is under way, or a new one with its job. */
const begin = async (tx: Tx, requestedBy: string | null): Promise<{ scan: queries.ScanRow; running: boolean }> => {
  const now = clock.now()
  await queries.giveUpScans(tx, hoursAfter(now, -scanHours), now)
  const fresh = await queries.insertScan(tx, { id: randomUUIDv7(), requestedBy, now })
  if (fresh) {
    await enqueue(tx, runScan, { scanId: fresh.id })
    return { scan: fresh, running: false }
  }
  // The running scan may have ended in the meantime.
  const scan = await queries.scanUnderWay(tx)
  return scan ? { scan, running: true } : begin(tx, requestedBy)
}

export const triggerScan = (admin: SignedIn): Promise<FraudScan> =>
  transact(async tx => {
    const { scan, running } = await begin(tx, admin.id)
    const facts = running ? { running } : undefined
    await auditIfAdmin(tx, admin, {
      action: 'fraud.scan',
      subjectType: 'fraud',
      subjectId: scan.id,
      ...(facts && { facts }),
    })
    return toScan(scan)
  })

export const nightlyScan: Job<object> = {
  name: 'fraud.nightly-scan',
  neverPaused: true,
  cron: '17 3 * * *',
  expireMinutes: 120,
  run: async () => {
    await transact(tx => begin(tx, null))
  },
}

export const runScan: Job<{ scanId: string }> = {
  name: 'fraud.scan',
  neverPaused: true,
  expireMinutes: scanHours * 60,
  run: async ({ scanId }) => {
    if (!(await queries.startScan(autocommit, scanId, clock.now()))) return
    // One after the other, because together they would take all connections for jobs.
    const results: PromiseSettledResult<void>[] = []
    for (const progress of await beginDetectors(scanId))
      if (!progress.done) results.push(...(await Promise.allSettled([runDetector(progress, scanId)])))
    const errors = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
    const state = errors.length > 0 ? 'FAILED' : 'DONE'
    const found = await queries.foundBy(autocommit, scanId)
    await queries.endScan(autocommit, { id: scanId, state, found, now: clock.now() })
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${results.length} detectors failed`)
  },
}

/** A step covers this many facts, and this many of its suspects are judged at once. */
const stepSize = 5_000
const judgedAtOnce = 200

const beginDetectors = (scanId: string): Promise<queries.Progress[]> => {
  const now = clock.now()
  const all = Object.entries(detectors).map(([detector, { lateHours = 0 }]) => ({
    detector,
    nextSince: hoursAfter(now, -overlapHours - lateHours),
  }))
  return queries.beginDetectors(autocommit, scanId, all)
}

/** The position is saved after each step, so a scan continues there after a crash. */
const runDetector = async ({ detector, ...progress }: queries.Progress, scanId: string): Promise<void> => {
  const { endOf, suspects, judge } = detectors[detector]!
  // Suspects are judged by all of their facts, so once is enough: whatever comes meanwhile is also left to the next scan.
  const judged = new Set<string>()
  for (let from = progress.position; from !== 'infinity';) {
    const until = await endOf(autocommit, from, stepSize)
    const fresh = (await suspects(autocommit, { from, until })).filter(suspect => !judged.has(suspect))
    for (let first = 0; first < fresh.length; first += judgedAtOnce) {
      const some = fresh.slice(first, first + judgedAtOnce)
      await report(await judge(autocommit, some, progress.since), { detector, scanId })
      for (const suspect of some) judged.add(suspect)
    }
    // The end saves the last step.
    if (until !== 'infinity' && !(await queries.advance(autocommit, { detector, scanId, position: until })))
      throw new Overtaken()
    from = until
  }
  if (!(await queries.endDetector(autocommit, detector, scanId))) throw new Overtaken()
}

class Overtaken extends Error {
  override message = 'another scan looks on'
}

const report = async (findings: readonly Finding[], by: { detector: string; scanId: string }): Promise<void> => {
  if (findings.length === 0) return
  const named = findings.map(finding => ({ ...finding, id: randomUUIDv7() }))
  await transact(async tx => {
    const found = await queries.reportFindings(tx, named, clock.now())
    if (found > 0) await queries.addFound(tx, { ...by, found })
  })
}
