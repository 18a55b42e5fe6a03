/** The figures of a tester, counted from the tester's own rows (docs/metrics.md). */
import { sql, type Tx } from '../../kit/server/db.ts'

export type TesterCounts = {
  active: number
  completed: number
  joined: number
  verified: number
  earnedCents: number
  newEarnedCents: number
  balanceCents: number
  everJoined: boolean
  checkedIn: boolean
  submitted: boolean
  hasOpenTest: boolean
}

export const testerCounts = (tx: Tx, testerId: string, from: string): Promise<TesterCounts> =>
  tx.one(
    sql`select count(*) filter (where status = 'ACTIVE') as active, count(*) filter (where status = 'VERIFIED') as completed,
      count(*) filter (where joined_at >= ${from}) as joined,
      count(*) filter (where status = 'VERIFIED' and closed_at >= ${from}) as verified,
      count(id) > 0 as "everJoined", coalesce(bool_or(check_in_count > 0), false) as "checkedIn",
      coalesce(bool_or(proof_submitted_at is not null), false) as submitted,
      count(id) filter (where closed_at is null) > 0 as "hasOpenTest",
      balance_of_tester(${testerId}) as "balanceCents",
      earned.cents as "earnedCents", earned.new_cents as "newEarnedCents"
    from (select coalesce(sum(amount_cents), 0)::bigint as cents,
        coalesce(sum(amount_cents) filter (where created_at >= ${from}), 0)::bigint as new_cents
      from transactions where user_id = ${testerId} and type = 'CREDIT' and status = 'COMPLETED') earned
    left join participations on tester_id = ${testerId}
    group by earned.cents, earned.new_cents`,
    'Counts',
  )
