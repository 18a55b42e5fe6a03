/**
 * The figures of a developer, each defined once, here (docs/metrics.md). They come from the roll-up by developer and month (UTC),
 * except that open tests and the newest campaigns are counted.
 */
import { sql, type Tx } from '../../kit/server/db.ts'
import type { DeveloperAnalytics } from '../contract.ts'
import { monthsFrom } from './months.ts'

export type DeveloperCounts = {
  campaigns: number
  active: number
  /** `testers`: seats ever taken; `people`: by how many different people. */
  testers: number
  people: number
  spentCents: number
  newCampaigns: number
  started: number
  newTesters: number
  newSpentCents: number
  paid: boolean
  approved: boolean
  everStarted: boolean
  completed: boolean
}

/** `month`: the start of the current month. */
export const developerCounts = (tx: Tx, developerId: string, month: string): Promise<DeveloperCounts> =>
  tx.one(
    sql`select coalesce(sum(campaigns), 0)::bigint as campaigns, coalesce(sum(live), 0)::bigint as active,
      coalesce(sum(joined), 0)::bigint as testers,
      (select count(distinct p.tester_id) from campaigns c join participations p on p.campaign_id = c.id
        where c.developer_id = ${developerId}) as people, coalesce(sum(spent), 0)::bigint as "spentCents",
      coalesce(sum(campaigns) filter (where is_new), 0)::bigint as "newCampaigns",
      coalesce(sum(started) filter (where is_new), 0)::bigint as started,
      coalesce(sum(joined) filter (where is_new), 0)::bigint as "newTesters",
      coalesce(sum(spent) filter (where is_new), 0)::bigint as "newSpentCents",
      coalesce(sum(submitted), 0) > 0 as paid, coalesce(sum(approved), 0) > 0 as approved,
      coalesce(sum(started), 0) > 0 as "everStarted", coalesce(sum(completed), 0) > 0 as completed
    from (select *, month >= ${month} as is_new, coalesce(paid_cents, 0) - coalesce(refunded_cents, 0) as spent
      from developer_months where developer_id = ${developerId}) own`,
    'Counts',
  )

export const developerByMonth = (
  tx: Tx,
  developerId: string,
  from: string,
  now: string,
): Promise<DeveloperAnalytics['months']> =>
  tx.rows(sql`
    select label as month, coalesce(sum(coalesce(paid_cents, 0) - coalesce(refunded_cents, 0)), 0)::bigint as "spentCents",
      coalesce(sum(joined), 0)::bigint as "seatsFilled"
    from ${monthsFrom(from, now)} left join developer_months own on own.developer_id = ${developerId} and own.month = start
    group by label, start order by start`)

/**
 * One check-in is expected for each full day of the test until the proof, its end or now. The days are the campaign's duration up
 * to the time when the proof is allowed, and none before they begin. Tests with a proof or an end are in the roll-up; the others
 * are ACTIVE, in running campaigns.
 */
export const checkInRate = (tx: Tx, developerId: string, now: string): Promise<{ done: number; expected: number }> =>
  tx.one(
    sql`select coalesce(sum(done), 0)::bigint as done, coalesce(sum(expected), 0)::bigint as expected from (
      select check_ins_done as done, check_ins_expected as expected from developer_months
        where developer_id = ${developerId}
      union all
      select done, greatest(days, done) from (
        select least(p.check_in_count, c.duration_days) as done,
          case when p.proof_allowed_at is not null then c.duration_days
            + least(0, floor(extract(epoch from ${now}::timestamptz - p.proof_allowed_at) / 86400)) end as days
        from campaigns c join participations p on p.campaign_id = c.id
        where c.developer_id = ${developerId} and c.status in ('LIVE', 'PAUSED') and c.daily_check_in
          and p.proof_submitted_at is null and p.closed_at is null) under_way
    ) tests`,
    'Rate',
  )

type FillRow = { id: string; title: string; startDate: string; filledAt: string | null }

/**
 * When there was no free seat for the first time. Leaving, being dropped and a final rejection free a seat; a closed seat is not
 * free any more. A campaign's events are numbered in the order in which they happened, whatever the servers' clocks said.
 */
export const filling = async (tx: Tx, developerId: string, limit: number): Promise<DeveloperAnalytics['filling']> => {
  const rows = await tx.rows<FillRow>(sql`
    with started as (
      select id, title, start_date, testers_required from campaigns
      where developer_id = ${developerId} and start_date is not null order by id desc limit ${limit}
    ), moves as (
      select e.id, e.campaign_id, e.at, case when e.kind in ('TESTER_JOINED', 'SEAT_CLOSED') then 1 else -1 end as change
      from started s join campaign_events e on e.campaign_id = s.id
      where e.kind in ('TESTER_JOINED', 'REJECTION_FINAL', 'REJECTION_UPHELD', 'TESTER_LEFT', 'TESTER_DROPPED',
          'TESTER_CANCELLED', 'GOODWILL_PAID', 'SEAT_CLOSED')
        -- Before appeals existed, a rejection freed the seat at once.
        or e.kind = 'TESTER_REJECTED' and not e.facts ? 'appealBy'
    ), taken as (
      select id, campaign_id, at, sum(change) over (partition by campaign_id order by id rows unbounded preceding) as seats
      from moves
    )
    select s.id, s.title, s.start_date as "startDate",
      (select t.at from taken t where t.campaign_id = s.id and t.seats >= s.testers_required
        order by t.id limit 1) as "filledAt"
    from started s order by s.id desc`)
  return rows.map(({ id, title, ...times }) => ({ campaign: { id, title }, ...times }))
}
