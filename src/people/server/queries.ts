/** SQL for what admins see of users. */
import { empty, planEachTime, sql, type Tx } from '../../kit/server/db.ts'
import { fixedRowLimit } from '../../kit/server/rowLimits.ts'
import { keysetOf, type NumberedList } from '../../kit/server/numberedLists.ts'
import { searchFor } from '../../kit/server/searching.ts'
import type { Role } from '../../kit/roles.ts'
import type { AdminUser, SecurityReport, UserCounts, UserProfile, UserQuery } from '../contract.ts'

/** See docs/metrics.md. If a campaign was cancelled before it started, only its events tell whether it was approved. */
const isVerified = sql`case u.role
  when 'TESTER' then exists (select from participations where tester_id = u.id and status = 'VERIFIED')
  when 'DEVELOPER' then exists (select from campaigns c where c.developer_id = u.id
    and (c.status = 'APPROVED' or c.start_date is not null or (c.status = 'CANCELLED'
      and exists (select from campaign_events e where e.campaign_id = c.id and e.kind = 'APPROVED'))))
  else false end`

const columns = sql`u.id, u.email, u.name, u.role, case when u.suspended_at is null then 'ACTIVE' else 'SUSPENDED' end as status,
  ${isVerified} as "isVerified", balance_of_tester(u.id) as "balanceCents",
  (select count(*) from campaigns where developer_id = u.id) as "totalCampaigns",
  (select count(*) from participations where tester_id = u.id) as "totalTests",
  (select last_used_at from sessions where user_id = u.id order by last_used_at desc limit 1) as "lastActive",
  u.created_at as "createdAt"`

type Filters = Pick<UserQuery, 'search' | 'role'>

/** Searches names and emails. */
const searched = { from: sql`users u`, text: sql`lower(u.name || ' ' || u.email)` }

/** Newest first; only the page's rows are read in full. */
export const usersList = async (tx: Tx, filters: Filters): Promise<NumberedList<AdminUser>> => {
  const { search, role } = filters
  const { found, counted } = await searchFor(tx, searched, search)
  const among = sql`u.deleted_at is null ${role ? sql`and u.role = ${role}` : empty}`
  return {
    of: ['users', filters],
    keyOf: ({ id }) => [id],
    matching: sql`select from users u where ${among} and ${counted}`,
    rows: slice => {
      const { beyond, order, window } = keysetOf(slice, sql`u.id`)
      return tx.rows(
        planEachTime(sql`
          with page as materialized (select u.id from users u where ${among} and ${found} ${beyond} order by ${order} ${window})
          select ${columns} from page join users u on u.id = page.id order by u.id desc`),
      )
    },
  }
}

/** From the roll-ups of the dashboards' figures (docs/metrics.md). */
export const userCounts = (tx: Tx, monthStart: string): Promise<UserCounts> =>
  tx.one(
    sql`select coalesce(sum(users), 0)::bigint as total, coalesce(sum(active_users), 0)::bigint as active,
      coalesce(sum(developers), 0)::bigint as developers, coalesce(sum(testers), 0)::bigint as testers,
      coalesce(sum(users) filter (where month >= ${monthStart}), 0)::bigint as "newThisMonth"
    from platform_months`,
    'Counts',
  )

export type ProfileRow = AdminUser &
  Pick<UserProfile, 'country' | 'timeZone' | 'paymentMethod' | 'mailRefusal'> & {
    suspendedAt: string | null
    suspensionReason: string | null
  }

export const profileOf = (tx: Tx, id: string): Promise<ProfileRow> =>
  tx.one(
    sql`select ${columns}, u.country, u.time_zone as "timeZone", coalesce(u.payment_method, u.email) as "paymentMethod",
      (select answer from mail_refusals where address = u.email) as "mailRefusal", u.suspended_at as "suspendedAt", u.suspension_reason as "suspensionReason"
    from users u where u.id = ${id} and u.deleted_at is null`,
    'User',
  )

export const payoutsPendingOf = (tx: Tx, id: string): Promise<UserProfile['payoutsPending']> =>
  tx.one(
    sql`select coalesce(sum(amount_cents) filter (where claimed_at is null), 0)::bigint as "waitingCents",
      coalesce(sum(amount_cents) filter (where claimed_at is not null), 0)::bigint as "withProviderCents"
    from withdrawals where tester_id = ${id} and status = 'PENDING'`,
    'Payouts',
  )

const newest = 10

export const campaignsOf = (tx: Tx, id: string): Promise<UserProfile['campaigns']> =>
  tx.rows(sql`select id, title, status, created_at as "createdAt" from campaigns where developer_id = ${id}
    order by id desc limit ${fixedRowLimit(newest)}`)

export const testsOf = async (tx: Tx, id: string): Promise<UserProfile['tests']> => {
  type Row = Omit<UserProfile['tests'][number], 'campaign'> & { campaignId: string; title: string }
  const rows = await tx.rows<Row>(sql`
    select p.id, p.status, p.joined_at as "joinedAt", c.id as "campaignId", c.title
    from participations p join campaigns c on c.id = p.campaign_id
    where p.tester_id = ${id} order by p.id desc limit ${fixedRowLimit(newest)}`)
  return rows.map(({ campaignId, title, ...test }) => ({ ...test, campaign: { id: campaignId, title } }))
}

export const transactionsOf = (tx: Tx, id: string): Promise<UserProfile['transactions']> =>
  tx.rows(sql`select id, type, status, amount_cents as "amountCents", description, created_at as "createdAt"
    from transactions where user_id = ${id} order by seq desc limit ${fixedRowLimit(newest)}`)

export const sessionsOf = (tx: Tx, id: string, now: string): Promise<UserProfile['sessions']> =>
  tx.rows(sql`select id, ip, user_agent as "userAgent", created_at as "createdAt", last_used_at as "lastUsedAt",
      ended_at is not null or expires_at <= ${now} as ended
    from sessions where user_id = ${id} order by last_used_at desc limit ${fixedRowLimit(newest)}`)

export const activeSessionsOf = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.value(sql`select count(*)::int from sessions where user_id = ${id} and ended_at is null and expires_at > ${now}`)

export const adminActionsOn = (tx: Tx, id: string): Promise<UserProfile['adminActions']> =>
  tx.rows(sql`select a.id, a.action, admins.name as "adminName", a.at, a.facts ->> 'reason' as reason
    from audit_log a left join users admins on admins.id = a.admin_id
    where a.subject_type = 'user' and a.subject_id = ${id} order by a.id desc limit ${fixedRowLimit(newest)}`)

export const setSuspended = (tx: Tx, id: string, reason: string, now: string): Promise<number> =>
  tx.run(sql`update users set suspended_at = ${now}, suspension_reason = ${reason}
    where id = ${id} and suspended_at is null`)

/** Locks a user who still has an account, so that no suspension begins until the end of `tx`. Waits for one that is under way. */
export const holdUser = (tx: Tx, id: string): Promise<object> =>
  tx.one(sql`select id from users where id = ${id} and deleted_at is null for share`, 'User')

/** Locks the user, so they stay suspended until the end of `tx`; undefined if an admin has restored them. */
export const lockSuspended = (tx: Tx, id: string): Promise<{ id: string; role: Role } | undefined> =>
  tx.maybe(sql`select id, role from users where id = ${id} and suspended_at is not null for no key update`)

export const setRestored = (tx: Tx, id: string): Promise<number> =>
  tx.run(
    sql`update users set suspended_at = null, suspension_reason = null where id = ${id} and suspended_at is not null`,
  )

const shown = 50

/** People type other things in place of their email, sometimes their password, so only emails of existing accounts are shown. */
export const failedLogins = (tx: Tx): Promise<SecurityReport['failedLogins']> =>
  tx.rows(sql`select u.email, f.ip, f.at
    from (select email, ip, at from login_failures order by at desc limit ${fixedRowLimit(shown)}) f
    left join users u on u.email = f.email and u.deleted_at is null order by f.at desc`)

export const refusedEmails = (tx: Tx): Promise<SecurityReport['refusedEmails']> =>
  tx.rows(sql`select json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', u.role) as user,
      r.answer, r.refused_at as at
    from (select address, answer, refused_at from mail_refusals order by refused_at desc limit ${fixedRowLimit(shown)}) r
    join users u on u.email = r.address and u.deleted_at is null order by r.refused_at desc`)

export const lockedAccounts = (
  tx: Tx,
  { since, perAccount, windowMinutes }: { since: string; perAccount: number; windowMinutes: number },
): Promise<SecurityReport['lockedAccounts']> =>
  tx.rows(sql`select u.email, f.failures, f.until, case split_part(f.budget, ' ', 1)
      when 'OWN' then 'OWN_PASSWORD' when 'UNKNOWN' then 'UNKNOWN_DEVICES' else 'KNOWN_DEVICE' end as "lockedFor"
    from (select email, budget, count(*) as failures, min(at) + make_interval(mins => ${windowMinutes}::int) as until,
        max(at) as latest
      from login_failures where at > ${since} and not cleared group by email, budget having count(*) >= ${perAccount}) f
    join users u on u.email = f.email and u.deleted_at is null order by f.latest desc limit ${fixedRowLimit(shown)}`)

export const sessionsInUse = async (tx: Tx, now: string): Promise<SecurityReport['sessions']> => {
  type Row = Omit<SecurityReport['sessions'][number], 'user'> & {
    userId: string
    name: string
    email: string
    role: Role
  }
  const rows = await tx.rows<Row>(sql`
    select s.id, s.ip, s.user_agent as "userAgent", s.created_at as "createdAt", s.last_used_at as "lastUsedAt",
      u.id as "userId", u.name, u.email, u.role
    from sessions s join users u on u.id = s.user_id
    where s.ended_at is null and s.expires_at > ${now} order by s.last_used_at desc limit ${fixedRowLimit(shown)}`)
  return rows.map(({ userId, name, email, role, ...session }) => ({
    ...session,
    user: { id: userId, name, email, role },
  }))
}
