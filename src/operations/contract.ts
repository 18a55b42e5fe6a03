/** What whoever runs the product has to see: the checks of the data, the queues of jobs, and money on its way. */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { Cents, Instant } from '../kit/schemas.ts'

const moneyKinds = ['WITHDRAWALS', 'REFUNDS'] as const
export type MoneyKind = (typeof moneyKinds)[number]

export const Check = z.object({
  name: z.string(),
  /** What holds while nothing is broken, in the words of the check. */
  says: z.string(),
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
})
export type Queue = z.output<typeof Queue>

export const MoneyOnItsWay = z.object({
  kind: z.enum(moneyKinds),
  count: z.number().int(),
  amountCents: Cents,
  oldestAt: Instant.nullable(),
})
export type MoneyOnItsWay = z.output<typeof MoneyOnItsWay>

export const Operations = z.object({
  checks: z.array(Check),
  /** The checks are being run; since when. */
  checkingSince: Instant.nullable(),
  checksRunNextAt: Instant,
  money: z.array(MoneyOnItsWay),
  /** By name. */
  queues: z.array(Queue),
})
export type Operations = z.output<typeof Operations>

export const operationsApi = endpoints({
  operations: {
    method: 'GET',
    path: '/admin/operations',
    access: 'ADMIN',
    summary: 'What the checks of the data last found, the queues of jobs, and the money on its way.',
    reply: Operations,
  },
  runChecks: {
    method: 'POST',
    path: '/admin/operations/run-checks',
    access: 'ADMIN',
    summary: 'Runs the checks of the data now, unless they are being run.',
  },
})
