/** Metrics about the data for Prometheus; every server reports the same. */
import { Gauge, type Registry } from 'prom-client'
import { followsForSeconds, lastBackup, unsentSeconds } from '../../backups/server/backups.ts'
import { clock, daysAfter } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { agingNow } from '../../campaigns/server/campaigns.ts'
import { lastComparison, refusedHours } from '../../ledger/server/ledger.ts'
import { queuesNow } from '../../kit/server/jobs.ts'
import { openPause } from '../../kit/server/pauses.ts'
import { during, requestLimits, workOf } from '../../kit/server/limits.ts'
import type { Gauges } from '../../kit/server/metrics.ts'
import { productRole } from '../../kit/server/roles.ts'
import * as changes from './changes.queries.ts'
import * as queries from './queries.ts'

/**
 * Prometheus gives up after ten seconds by default. Within this limit we can still report that the database is missing, rather than
 * nothing.
 */
const withinMs = 4_000

const secondsSince = (at: string | null, now: string) =>
  at === null ? 0 : Math.max(0, (Date.parse(now) - Date.parse(at)) / 1000)

const load = () =>
  during(workOf('reads', requestLimits, withinMs), () =>
    Promise.all([
      queuesNow(autocommit),
      queries.moneyOnItsWay(autocommit, { now: clock.now(), refusedHours }),
      queries.checkResults(autocommit),
      lastBackup(autocommit),
      openPause(autocommit),
      changes.lastWatch(autocommit),
      changes.checksBehind(autocommit),
      queries.breaches(autocommit),
      lastComparison(autocommit),
      queries.downtimeNow(autocommit, daysAfter(clock.now(), -30), clock.now()),
      agingNow(autocommit),
      unsentSeconds(autocommit),
    ]),
  )

export const operationGauges: Gauges = registry => {
  const { database, ...gauges } = makeGauges(registry)
  return async () => {
    const loaded = await load().catch(() => null)
    database.set(loaded ? 1 : 0)
    // Unknown values are left out.
    for (const gauge of Object.values(gauges)) gauge.reset()
    if (!loaded) return
    const [queues, money, results, backup, pause, watch, behind, breaches, provider, downtime, escrow, unsent] = loaded
    gauges.ownRole.set({ way: productRole()?.way.toLowerCase() ?? 'none' }, 1)
    gauges.heartbeatAge.set(downtime.heartbeatAgeSeconds)
    gauges.downtime.set(downtime.recentSeconds)
    gauges.unsettled.set(downtime.unsettledSeconds)
    const now = clock.now()
    gauges.aging.set({ state: 'watched' }, escrow.watched)
    gauges.aging.set({ state: 'due' }, escrow.due)
    gauges.agingOldest.set(secondsSince(escrow.oldestAt, now))
    gauges.paused.set(pause ? 1 : 0)
    gauges.pausedFor.set(secondsSince(pause?.pausedAt ?? null, now))
    const stopping = breaches.filter(({ accepted }) => accepted === null).map(({ foundAt }) => foundAt)
    gauges.stopped.set(stopping.length > 0 ? 1 : 0)
    gauges.stoppedFor.set(secondsSince(stopping.toSorted()[0] ?? null, now))
    for (const { name: check, endedAt, offCents } of breaches)
      if (endedAt === null) gauges.breach.set({ check }, offCents)
    gauges.behind.set(behind.length)
    if (provider) {
      gauges.balanceOff.set(provider.offCents)
      gauges.balanceAge.set(secondsSince(provider.at, now))
    }
    if (watch) {
      gauges.watchAge.set(secondsSince(watch.at, now))
      gauges.watchTook.set(watch.tookMs / 1000)
      gauges.watchChanges.set(watch.changes)
    }
    for (const { name: queue, waiting, active, failed, oldestWaitSeconds } of queues) {
      gauges.jobs.set({ queue, state: 'waiting' }, waiting)
      gauges.jobs.set({ queue, state: 'active' }, active)
      gauges.jobs.set({ queue, state: 'failed' }, failed)
      gauges.jobWait.set({ queue }, oldestWaitSeconds)
    }
    for (const { kind, amountCents, lateSince } of money) {
      gauges.money.set({ kind: kind.toLowerCase() }, amountCents)
      gauges.moneyWait.set({ kind: kind.toLowerCase() }, secondsSince(lateSince, now))
    }
    // If there has never been a backup, its age counts from when this server was told to send them.
    const forSeconds = followsForSeconds()
    const [age, unsentFor] = [backup?.ageSeconds ?? forSeconds, unsent?.seconds ?? forSeconds]
    if (age !== null) gauges.backupAge.set(age)
    if (unsentFor !== null) gauges.backupUnsent.set(unsentFor)
    for (const { name: check, broken, at } of results) {
      // A check that could not run is as bad as one that found something.
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
    ownRole: gauge(
      'database_role',
      'How the database keeps the product from writing to the ledger other than by postings: login, set_role, or none (triggers only).',
      'way',
    ),
    paused: gauge('jobs_paused', 'Whether jobs are paused, except those that never are.'),
    pausedFor: gauge('jobs_paused_seconds', 'For how long jobs have been paused.'),
    jobs: gauge('jobs', 'Jobs by queue and state: waiting (due), active, failed (given up).', 'queue', 'state'),
    jobWait: gauge('job_wait_seconds', 'How long the oldest due job has been waiting.', 'queue'),
    money: gauge(
      'money_in_transit_cents',
      'Withdrawals and refunds that the provider has not confirmed, and open disputes from before a restore.',
      'kind',
    ),
    moneyWait: gauge(
      'money_in_transit_oldest_seconds',
      'How long the oldest of that money has been late; ignores what waits for an admin, a bank or its next attempt.',
      'kind',
    ),
    aging: gauge(
      'escrow_aging_campaigns',
      'Campaigns with money in escrow for 60 days or more: all of them (watched), and those on which an admin has to decide (due).',
      'state',
    ),
    agingOldest: gauge(
      'escrow_aging_oldest_seconds',
      'How long the oldest of that money has been in escrow; 0 if there is none.',
    ),
    backupAge: gauge(
      'backup_age_seconds',
      'How long ago the newest base backup was taken; if there is none, how long ago the server was told to send backups.',
    ),
    backupUnsent: gauge(
      'backup_unsent_seconds',
      'How old the oldest change may be that is not known to have reached the backups.',
    ),
    broken: gauge('check_broken_rows', 'Rows that broke a check of the data in its last run.', 'check'),
    stopped: gauge('withdrawals_stopped', 'Whether withdrawals are stopped because the books were found to be wrong.'),
    stoppedFor: gauge('withdrawals_stopped_seconds', 'For how long withdrawals have been stopped.'),
    breach: gauge('money_breach_cents', 'How many cents an open breach is off; 0 if it has no amount.', 'check'),
    behind: gauge('money_checks_behind', 'Checks of the money that could not keep up with the changes.'),
    balanceOff: gauge(
      'provider_balance_off_cents',
      'How much more or less the provider holds than our books can explain.',
    ),
    balanceAge: gauge('provider_balance_age_seconds', 'How long ago the provider and our books were last compared.'),
    watchAge: gauge('money_watch_age_seconds', 'How long ago changes of the money were last checked.'),
    watchTook: gauge('money_watch_seconds', 'How long that check took.'),
    watchChanges: gauge('money_watch_changes', 'How many changes that check examined.'),
    heartbeatAge: gauge(
      'heartbeat_age_seconds',
      'How long ago a server last recorded that the product runs; 0 if none ever has.',
    ),
    downtime: gauge('downtime_30d_seconds', 'How long the product was down or paused in the last 30 days.'),
    unsettled: gauge(
      'downtime_unsettled_seconds',
      'For how long deadlines have been waiting to be moved after a downtime.',
    ),
    checkAge: gauge('check_age_seconds', 'How long ago the check was last run.', 'check'),
  }
}
