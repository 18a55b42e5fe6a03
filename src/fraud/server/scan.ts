/** The scan: every night, and when an admin asks. One at a time; a finding is reported once, and again with new facts. */
import { randomUUIDv7 } from 'node:crypto'
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { enqueue, type Job } from '../../kit/server/jobs.ts'
import type { FraudScan } from '../contract.ts'
import { detectors } from './detectors.ts'
import * as queries from './scan.queries.ts'

/** A scan that takes longer is given up, by its job and by the next scan. */
const scanHours = 2
/** What was written in a transaction that was slow to commit carries an earlier time than what is seen now. */
const overlapHours = 1
const beginning = '1970-01-01T00:00:00.000Z'

export const toScan = (row: queries.ScanRow): FraudScan => ({
  ...row,
  durationMs: row.startedAt && row.finishedAt ? Date.parse(row.finishedAt) - Date.parse(row.startedAt) : null,
})

/** The scan that is under way, or a new one with its job. */
const begin = async (tx: Tx, requestedBy: string | null): Promise<queries.ScanRow> => {
  const now = clock.now()
  await queries.giveUpScans(tx, hoursAfter(now, -scanHours), now)
  const fresh = await queries.insertScan(tx, { id: randomUUIDv7(), requestedBy, now })
  if (fresh) {
    await enqueue(tx, runScan, { scanId: fresh.id })
    return fresh
  }
  // It may have ended since.
  return (await queries.scanUnderWay(tx)) ?? begin(tx, requestedBy)
}

export const triggerScan = (admin: SignedIn): Promise<FraudScan> =>
  transact(async tx => {
    const scan = await begin(tx, admin.id)
    await auditIfAdmin(tx, admin, { action: 'fraud.scan', subjectType: 'fraud', subjectId: scan.id })
    return toScan(scan)
  })

export const nightlyScan: Job<object> = {
  name: 'fraud.nightly-scan',
  cron: '17 3 * * *',
  expireMinutes: 120,
  run: async () => {
    await transact(tx => begin(tx, null))
  },
}

export const runScan: Job<{ scanId: string }> = {
  name: 'fraud.scan',
  expireMinutes: scanHours * 60,
  run: async ({ scanId }) => {
    if (!(await queries.startScan(autocommit, scanId, clock.now()))) return
    // One after the other: together they would take every connection that jobs have.
    const results: PromiseSettledResult<number>[] = []
    for (const name of Object.keys(detectors)) results.push(...(await Promise.allSettled([runDetector(name)])))
    const found = results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0)
    const errors = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
    const state = errors.length > 0 ? 'FAILED' : 'DONE'
    await queries.endScan(autocommit, { id: scanId, state, found, now: clock.now() })
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${results.length} detectors failed`)
  },
}

/** Gives how many reports it made. */
const runDetector = async (name: string): Promise<number> => {
  const startedAt = clock.now()
  const since = (await queries.lookedUntil(autocommit, name)) ?? beginning
  const findings = await detectors[name]!(autocommit, since)
  let made = 0
  for (const finding of findings) {
    if (await queries.reportFinding(autocommit, finding, { id: randomUUIDv7(), now: clock.now() })) made++
  }
  await queries.setLookedUntil(autocommit, name, hoursAfter(startedAt, -overlapHours))
  return made
}
