/** What Prometheus is told of the data: the same by every server. */
import { Gauge, type Registry } from 'prom-client'
import { clock } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { queuesNow } from '../../kit/server/jobs.ts'
import { during, requestLimits, workOf } from '../../kit/server/limits.ts'
import type { Gauges } from '../../kit/server/metrics.ts'
import * as queries from './queries.ts'

/** A scrape ends after ten seconds by default; it says that there is no database rather than nothing. */
const withinMs = 4_000

const secondsSince = (at: string | null, now: string) =>
  at === null ? 0 : Math.max(0, (Date.parse(now) - Date.parse(at)) / 1000)

const load = () =>
  during(workOf('reads', requestLimits, withinMs), () =>
    Promise.all([queuesNow(autocommit), queries.moneyOnItsWay(autocommit), queries.checkResults(autocommit)]),
  )

export const operationGauges: Gauges = registry => {
  const { database, ...gauges } = makeGauges(registry)
  return async () => {
    const loaded = await load().catch(() => null)
    database.set(loaded ? 1 : 0)
    // What is not known is not told.
    for (const gauge of Object.values(gauges)) gauge.reset()
    if (!loaded) return
    const [queues, money, results] = loaded
    const now = clock.now()
    for (const { name: queue, waiting, active, failed, oldestWaitSeconds } of queues) {
      gauges.jobs.set({ queue, state: 'waiting' }, waiting)
      gauges.jobs.set({ queue, state: 'active' }, active)
      gauges.jobs.set({ queue, state: 'failed' }, failed)
      gauges.jobWait.set({ queue }, oldestWaitSeconds)
    }
    for (const { kind, amountCents, oldestAt } of money) {
      gauges.money.set({ kind: kind.toLowerCase() }, amountCents)
      gauges.moneyWait.set({ kind: kind.toLowerCase() }, secondsSince(oldestAt, now))
    }
    for (const { name: check, broken, at } of results) {
      // One that could not be run is as bad as one that found something.
      gauges.broken.set({ check }, broken ?? 1)
      gauges.checkAge.set({ check }, secondsSince(at, now))
    }
  }
}

const makeGauges = (registry: Registry) => {
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name: `fieldtest_${name}`, help, labelNames, registers: [registry] })
  return {
    database: gauge('database_up', 'Whether PostgreSQL answered this scrape.'),
    jobs: gauge('jobs', 'Jobs by queue: waiting (due), active, failed (given up).', 'queue', 'state'),
    jobWait: gauge('job_wait_seconds', 'How long the job that is due for longest has waited.', 'queue'),
    money: gauge('money_in_transit_cents', 'Withdrawals and refunds that the provider has not confirmed.', 'kind'),
    moneyWait: gauge('money_in_transit_oldest_seconds', 'Since when the oldest of them waits.', 'kind'),
    broken: gauge('check_broken_rows', 'Rows that break a check of the data, by its last run.', 'check'),
    checkAge: gauge('check_age_seconds', 'When the check was last run.', 'check'),
  }
}
