/** The figures of a tester, counted from the tester's own rows (docs/metrics.md). */
import { sql, type Tx } from '../../kit/server/db.ts'

export type TesterCounts = {
  active: number
  completed: number
  joined: number
  verified: number
  earnedCents: number
  balanceCents: number
  everJoined: boolean
  checkedIn: boolean
  submitted: boolean
}

export const testerCounts = (tx: Tx, testerId: string, from: string): Promise<TesterCounts> =>
  tx.one(
    sql`select count(*) filter (where status = 'ACTIVE') as active, count(*) filter (where status = 'VERIFIED') as completed,
      count(*) filter (where joined_at >= ${from}) as joined,
      count(*) filter (where status = 'VERIFIED' and closed_at >= ${from}) as verified,
      count(*) > 0 as "everJoined", coalesce(bool_or(check_in_count > 0), false) as "checkedIn",
      coalesce(bool_or(proof_submitted_at is not null), false) as submitted,
      balance_of_tester(${testerId}) as "balanceCents",
      (select coalesce(sum(amount_cents), 0)::bigint from transactions
        where user_id = ${testerId} and type = 'CREDIT' and status = 'COMPLETED' and created_at >= ${from}) as "earnedCents"
    from participations where tester_id = ${testerId}`,
    'Counts',
  )

/** Counts what `available` of campaigns lists, up to `max`: an exact count of 40,000 is not worth its cost. */
export const availableCount = (tx: Tx, max: number): Promise<number> =>
  tx.value(sql`select count(*) from (
    select from campaigns where status = 'LIVE' and (seats_taken + closed_seats + offered_seats < testers_required
      or bench_testers < testers_required) limit ${max}) open`)
