/** What the people who run the product have to see: the checks of the data, the queues of jobs, and money on its way. */
import { z } from 'zod'
import { downtimeCauses } from '../kit/downtimes.ts'
import { endpoints } from '../kit/endpoint.ts'
import { Cents, Id, Instant, longText, text } from '../kit/schemas.ts'

/**
 * REFUNDS_STUCK: refused so often that they are no longer retried; not included in REFUNDS. REFUNDS_PAID_TWICE: paid by other
 * means, and by the provider after all. LOST_DISPUTES: open disputes about charges that a restored copy does not know.
 */
const moneyKinds = ['WITHDRAWALS', 'REFUNDS', 'REFUNDS_STUCK', 'REFUNDS_PAID_TWICE', 'LOST_DISPUTES'] as const
export type MoneyKind = (typeof moneyKinds)[number]

export const Check = z.object({
  name: z.string(),
  /** What is true while the check finds nothing, in the check's own words. */
  says: z.string(),
  /** It also runs every minute on recent changes, and a breach of it stops withdrawals. */
  isOfMoney: z.boolean(),
  /** Null until its first run. */
  last: z
    .object({
      at: Instant,
      tookMs: z.number().int(),
      /** How many rows break it, counted up to 1,001; null if it could not run. */
      broken: z.number().int().nullable(),
      brokenSince: Instant.nullable(),
      /** Up to five of the rows, as JSON. */
      examples: z.array(z.string()),
      error: z.string().nullable(),
    })
    .nullable(),
})
export type Check = z.output<typeof Check>

export const MoneyWatch = z.object({
  at: Instant,
  tookMs: z.number().int(),
  /** How many changes of the money it looked at. */
  changes: z.number().int(),
  /** Checks, by name, that could not follow the changes and have not run in full since. */
  behind: z.array(z.object({ name: z.string(), since: Instant, error: z.string().nullable() })),
})
export type MoneyWatch = z.output<typeof MoneyWatch>

export const BalanceComparison = z.object({
  at: Instant,
  provider: z.string(),
  /** The balance that the provider reports. */
  balanceCents: z.number().int(),
  /** The lowest and highest balance that our books allow, given the money on its way. */
  leastCents: z.number().int(),
  mostCents: z.number().int(),
  /** How far the balance is outside that range; 0 when both agree. */
  offCents: z.number().int(),
  /** When a difference was first seen that may still resolve itself; payouts wait meanwhile. After five minutes it is a breach. */
  offSince: Instant.nullable(),
})
export type BalanceComparison = z.output<typeof BalanceComparison>

export const Breach = z.object({
  id: Id,
  /** The check's name. */
  name: z.string(),
  foundAt: Instant,
  /** How many rows, counted up to 1,001. */
  rows: z.number().int(),
  /** How many cents they are off in total; 0 if the problem is not an amount. */
  offCents: z.number().int(),
  /** Up to five of the rows, as JSON. */
  examples: z.array(z.string()),
  /** When the check passed again, or when this breach was replaced by a larger one. */
  endedAt: Instant.nullable(),
  /** Who accepted it, and why withdrawals could resume; null while it stops them. */
  accepted: z.object({ at: Instant, by: z.string(), reason: z.string() }).nullable(),
})
export type Breach = z.output<typeof Breach>

/** Long enough to mean something to a later reader. */
export const minStopReason = 20

export const Queue = z.object({
  name: z.string(),
  /** How many jobs are due, counted up to 10,001. */
  waiting: z.number().int(),
  /** When the job that has waited longest became due. */
  oldestDueAt: Instant.nullable(),
  /** As of a few seconds ago. */
  active: z.number().int(),
  /** Failed after all retries; they are kept for a while. */
  failed: z.number().int(),
  /** Its jobs wait until jobs resume. */
  paused: z.boolean(),
})
export type Queue = z.output<typeof Queue>

export const MoneyOnItsWay = z.object({
  kind: z.enum(moneyKinds),
  count: z.number().int(),
  amountCents: Cents,
  oldestAt: Instant.nullable(),
})
export type MoneyOnItsWay = z.output<typeof MoneyOnItsWay>

export const LastBackup = z.object({
  takenAt: Instant,
  tookMs: z.number().int(),
  bytes: z.number().int(),
  /** A folder or a bucket, without its keys. */
  place: z.string(),
  /** The time up to which the servers' writes have been sent too; null if no server sends them. */
  sentUntil: Instant.nullable(),
})
export type LastBackup = z.output<typeof LastBackup>

export const JobPause = z.object({
  /** `RESTORED`: a restored copy, which resumes with `npm run resume` on the server. */
  reason: z.enum(['RESTORED', 'ADMIN']),
  note: z.string(),
  since: Instant,
  /** The admin who paused it. */
  by: z.string().nullable(),
  /** When a restored copy was compared with the payment provider. */
  reconciledAt: Instant.nullable(),
})
export type JobPause = z.output<typeof JobPause>

export const Downtime = z.object({
  id: z.number().int(),
  cause: z.enum(downtimeCauses),
  from: Instant,
  /** Null while a pause goes on. */
  to: Instant.nullable(),
  /** For a pause: the admin who began it, null after a restore. `note` is the reason. */
  by: z.string().nullable(),
  note: z.string().nullable(),
  /** How many deadlines it has moved so far. */
  moved: z.number().int(),
  /** All deadlines concerned have been moved; until then none falls due. */
  settled: z.boolean(),
})
export type Downtime = z.output<typeof Downtime>

export const Operations = z.object({
  /** Jobs are paused, except those that are never paused. */
  pause: JobPause.nullable(),
  checks: z.array(Check),
  /** When the checks began, if they are running. */
  checkingSince: Instant.nullable(),
  checksRunNextAt: Instant,
  /** The last look at recent changes of the money; null before the first one. */
  moneyWatch: MoneyWatch.nullable(),
  /** The last comparison of our books with the provider's balance; null before the first. */
  provider: BalanceComparison.nullable(),
  /** Breaches that stop withdrawals come first, then past ones, newest first. */
  breaches: z.array(Breach),
  /** Null if no backup was ever taken. */
  backup: LastBackup.nullable(),
  /** Why the server that replies sends no backups to BACKUP_TO: the place belongs to another key or another installation. */
  backupsRefused: z.string().nullable(),
  /** Null while every server's emails go out, during the first 15 minutes in which one's do not, and if no email waits. */
  mailTrouble: z
    .object({
      /** The host name of the server whose emails fail; if there are several, the one that has failed longest. */
      server: z.string(),
      since: Instant,
      reason: z.string(),
      /** How many emails will be retried later, counted up to 10,001. */
      waiting: z.number().int(),
    })
    .nullable(),
  money: z.array(MoneyOnItsWay),
  /** By name. */
  queues: z.array(Queue),
  /** The latest ones, newest first. */
  downtimes: z.array(Downtime),
})
export type Operations = z.output<typeof Operations>

export const operationsApi = endpoints({
  operations: {
    method: 'GET',
    path: '/admin/operations',
    access: 'ADMIN',
    summary:
      'The latest results of the data checks, the job queues, the money on its way, and the most recent downtimes.',
    reply: Operations,
  },
  runChecks: {
    method: 'POST',
    path: '/admin/operations/run-checks',
    access: 'ADMIN',
    summary: 'Run the data checks now, unless they are already running.',
  },
  letWithdrawalsGoOn: {
    method: 'POST',
    path: '/admin/operations/let-withdrawals-go-on',
    access: 'ADMIN',
    summary:
      'Record why withdrawals can resume although a check of the books failed, and pay out those that have waited. The request must name all breaches that stop them.',
    stepUp: true,
    body: z.object({
      breachIds: z.array(Id).min(1, { error: 'Name the breaches' }).max(100),
      reason: longText('The reason', {
        min: minStopReason,
        max: 2000,
        error: `Write at least ${minStopReason} characters on why withdrawals can resume`,
      }),
    }),
    errors: ['WRONG_STATE'],
  },
  pauseJobs: {
    method: 'POST',
    path: '/admin/operations/pause-jobs',
    access: 'ADMIN',
    summary:
      'Put payouts, refunds and deadlines on hold on every server. Emails, erasures and the data checks continue.',
    body: z.object({ reason: text('Reason', 500) }),
    errors: ['WRONG_STATE'],
  },
  resumeJobs: {
    method: 'POST',
    path: '/admin/operations/resume-jobs',
    access: 'ADMIN',
    summary:
      'Resume the jobs that an admin paused. Those of a restored copy are resumed with `npm run resume` on the server.',
    errors: ['WRONG_STATE'],
  },
})
