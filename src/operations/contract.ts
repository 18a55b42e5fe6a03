/** What whoever runs the product has to see: the checks of the data, the queues of jobs, and money on its way. */
import { z } from 'zod'
import { downtimeCauses } from '../kit/downtimes.ts'
import { endpoints } from '../kit/endpoint.ts'
import { Cents, Id, Instant, longText, text } from '../kit/schemas.ts'

/**
 * REFUNDS_STUCK: refused so often that they are asked for no more; not among REFUNDS. REFUNDS_PAID_TWICE: by other means, and by
 * the provider after all. LOST_DISPUTES: open ones of charges that a restored copy does not know.
 */
const moneyKinds = ['WITHDRAWALS', 'REFUNDS', 'REFUNDS_STUCK', 'REFUNDS_PAID_TWICE', 'LOST_DISPUTES'] as const
export type MoneyKind = (typeof moneyKinds)[number]

export const Check = z.object({
  name: z.string(),
  /** What holds while nothing is broken, in the words of the check. */
  says: z.string(),
  /** Also looks every minute at what has changed, and a breach of it stops withdrawals. */
  isOfMoney: z.boolean(),
  /** Null until it was run for the first time. */
  last: z
    .object({
      at: Instant,
      tookMs: z.number().int(),
      /** Rows that break it, counted up to 1,001; null when it could not be run. */
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
  /** Changes of the money that it looked at. */
  changes: z.number().int(),
  /** Checks that could not follow the changes, and have not been run in full since, by name. */
  behind: z.array(z.object({ name: z.string(), since: Instant, error: z.string().nullable() })),
})
export type MoneyWatch = z.output<typeof MoneyWatch>

export const BalanceComparison = z.object({
  at: Instant,
  provider: z.string(),
  /** What it says that it holds for us. */
  balanceCents: z.number().int(),
  /** The least and the most that it can hold by our books, given what is on its way. */
  leastCents: z.number().int(),
  mostCents: z.number().int(),
  /** By how much it is beyond that; 0 when both agree. */
  offCents: z.number().int(),
  /** Since when a difference is seen that may still explain itself; payouts wait meanwhile. After five minutes it is a breach. */
  offSince: Instant.nullable(),
})
export type BalanceComparison = z.output<typeof BalanceComparison>

export const Breach = z.object({
  id: Id,
  /** The check's name. */
  name: z.string(),
  foundAt: Instant,
  /** Counted up to 1,001. */
  rows: z.number().int(),
  /** By how much they are off in all; 0 where it is not an amount that is wrong. */
  offCents: z.number().int(),
  /** Up to five of the rows, as JSON. */
  examples: z.array(z.string()),
  /** When it held again, or became another breach by growing. */
  endedAt: Instant.nullable(),
  /** Why withdrawals went on, and who said so; null while they are stopped because of it. */
  accepted: z.object({ at: Instant, by: z.string(), reason: z.string() }).nullable(),
})
export type Breach = z.output<typeof Breach>

/** So that it says something to whoever reads it later. */
export const minStopReason = 20

export const Queue = z.object({
  name: z.string(),
  /** Jobs that are due, counted up to 10,001. */
  waiting: z.number().int(),
  /** When the job that has waited longest became due. */
  oldestDueAt: Instant.nullable(),
  /** As of a few seconds ago. */
  active: z.number().int(),
  /** Given up after all tries, and kept for a while. */
  failed: z.number().int(),
  /** Its jobs wait until the jobs go on. */
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
  /** Up to when what the servers write has left as well; null while none sends it. */
  sentUntil: Instant.nullable(),
})
export type LastBackup = z.output<typeof LastBackup>

export const JobPause = z.object({
  /** `RESTORED`: a restored copy, which goes on by `npm run resume` on the server. */
  reason: z.enum(['RESTORED', 'ADMIN']),
  note: z.string(),
  since: Instant,
  /** The admin. */
  by: z.string().nullable(),
  /** Of a restored copy: when it was compared with the payment provider. */
  reconciledAt: Instant.nullable(),
})
export type JobPause = z.output<typeof JobPause>

export const Downtime = z.object({
  id: z.number().int(),
  cause: z.enum(downtimeCauses),
  from: Instant,
  /** Null while a pause goes on. */
  to: Instant.nullable(),
  /** Of a pause: the admin who began it, null for a restore; and why. */
  by: z.string().nullable(),
  note: z.string().nullable(),
  /** Deadlines that it has moved on, so far. */
  moved: z.number().int(),
  /** All that it moves have been moved; until then none falls due. */
  settled: z.boolean(),
})
export type Downtime = z.output<typeof Downtime>

export const Operations = z.object({
  /** Jobs stand still, but for those that are never paused. */
  pause: JobPause.nullable(),
  checks: z.array(Check),
  /** The checks are being run; since when. */
  checkingSince: Instant.nullable(),
  checksRunNextAt: Instant,
  /** The last look at what has changed in the money; null before the first. */
  moneyWatch: MoneyWatch.nullable(),
  /** The last comparison of our books with the provider's balance; null before the first. */
  provider: BalanceComparison.nullable(),
  /** Those that stop withdrawals first, then those of the past, the newest first. */
  breaches: z.array(Breach),
  /** Null when none was ever taken. */
  backup: LastBackup.nullable(),
  /** Why the server that answers sends none to BACKUP_TO, where its place has another key or another installation. */
  backupsRefused: z.string().nullable(),
  /** Null while every server’s emails go out, in the first quarter of an hour in which one’s do not, and when none waits. */
  mailTrouble: z
    .object({
      /** The host name of the server whose emails fail, of several the one that does longest. */
      server: z.string(),
      since: Instant,
      reason: z.string(),
      /** Emails that are tried again later, counted up to 10,001. */
      waiting: z.number().int(),
    })
    .nullable(),
  money: z.array(MoneyOnItsWay),
  /** By name. */
  queues: z.array(Queue),
  /** The last ones, the newest first. */
  downtimes: z.array(Downtime),
})
export type Operations = z.output<typeof Operations>

export const operationsApi = endpoints({
  operations: {
    method: 'GET',
    path: '/admin/operations',
    access: 'ADMIN',
    summary:
      'What the checks of the data last found, the queues of jobs, the money on its way, and the last downtimes.',
    reply: Operations,
  },
  runChecks: {
    method: 'POST',
    path: '/admin/operations/run-checks',
    access: 'ADMIN',
    summary: 'Runs the checks of the data now, unless they are being run.',
  },
  letWithdrawalsGoOn: {
    method: 'POST',
    path: '/admin/operations/let-withdrawals-go-on',
    access: 'ADMIN',
    summary:
      'Records why withdrawals can resume although a check of the books failed, and pays out what has waited. Names all breaches that stop them.',
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
      'Puts payouts, refunds and deadlines on hold on every server. Emails, erasing and the data checks continue.',
    body: z.object({ reason: text('Reason', 500) }),
    errors: ['WRONG_STATE'],
  },
  resumeJobs: {
    method: 'POST',
    path: '/admin/operations/resume-jobs',
    access: 'ADMIN',
    summary:
      'Resumes the jobs that an admin paused. Those of a restored copy are resumed by `npm run resume` on the server.',
    errors: ['WRONG_STATE'],
  },
})
