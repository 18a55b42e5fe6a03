/** Everything stored about a user in all slices, a page of rows at a time (exporting.ts). */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { ownPlayAddresses } from '../../playAddresses/server/playAddresses.ts'
import { mailGoesOut } from '../../notifications/server/notifications.ts'
import type { PersonalData } from '../contract.ts'

export type Row = Record<string, unknown>

export const rowsPerPage = 500

/** The rows that follow `after` in the order of the export. */
type ExportedPage = (tx: Tx, id: string, after: Row | undefined) => Promise<Row[]>

/** Pages continue by time in milliseconds, as `after` contains it, because its row may have been deleted since. */
const sessionsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select id, ip, user_agent, device_fingerprint, created_at, last_used_at, ended_at, end_reason from sessions
    where user_id = ${id} ${
      after
        ? sql`and created_at >= ${after['created_at']}
            and (date_trunc('milliseconds', created_at), id) > (${after['created_at']}::timestamptz, ${after['id']}::uuid)`
        : empty
    }
    order by date_trunc('milliseconds', created_at), id limit ${rowsPerPage}`)

/** The devices of sessions that have been deleted. */
const pastDevicesOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select device as device_fingerprint, first_at as first_seen_at from past_device_uses
    where user_id = ${id} ${after ? sql`and device > ${after['device_fingerprint']}` : empty}
    order by device limit ${rowsPerPage}`)

/** There are few, so all are on the first page. */
const secondFactorsOf: ExportedPage = async (tx, id, after) =>
  after
    ? []
    : tx.rows(sql`select 'passkey' as kind, name, created_at, last_used_at from passkeys where user_id = ${id}
        union all select 'authenticator app', null, confirmed_at, null from totp_secrets
          where user_id = ${id} and confirmed_at is not null
        union all select 'recovery code', null, created_at, used_at from recovery_codes where user_id = ${id}
        order by 1, 3`)

const campaignsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select id, title, description, platform, distribution_link, pending_link, access_mode, group_link, pending_group_link, features, testers_required, closed_seats, pay_per_tester_cents,
      duration_days, daily_check_in, countries, min_android_version, min_ios_version, status, funded_cents, fee_cents,
      start_date, end_date, created_at
    from campaigns where developer_id = ${id} ${afterId(after)} order by id limit ${rowsPerPage}`)

const testsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select id, campaign_id, status, device_platform, device_os_version, device_model, device_manufacturer,
      device_fingerprint, time_zone, joined_at, no_access_reports, no_access_at, no_access_problem, proof_text, proof_links, proof_submitted_at, review_note,
      rejection_code, rejection_reason, reviewed_at, payout_amount_cents, closed_at
    from participations where tester_id = ${id} ${afterId(after)} order by id limit ${rowsPerPage}`)

const optInsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select r.id, r.participation_id, r.started_at, r.confirmed_at, r.ended_at, r.end_reason, r.contested_at,
      r.contest_reason, r.contest_ended_at, r.contest_outcome, r.contest_note
    from participations p join opt_in_runs r on r.participation_id = p.id
    where p.tester_id = ${id} ${after ? sql`and r.id > ${after['id']}` : empty} order by r.id limit ${rowsPerPage}`)

const appealsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select a.participation_id as id, a.appealed_at, a.reason, a.outcome, a.decided_at, a.note
    from participations p join appeals a on a.participation_id = p.id
    where p.tester_id = ${id} ${after ? sql`and p.id > ${after['id']}` : empty} order by p.id limit ${rowsPerPage}`)

const benchPlacesOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select id, campaign_id, entered_at, offered_at, offer_ends_at, device_platform, device_os_version, device_model,
      device_manufacturer, device_fingerprint, time_zone
    from bench_entries where tester_id = ${id} ${afterId(after)} order by id limit ${rowsPerPage}`)

/** How many seats passed the user by on benches that they have left. */
const passedSeatsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select campaign_id, passes from bench_passes where tester_id = ${id}
    ${after ? sql`and campaign_id > ${after['campaign_id']}` : empty} order by campaign_id limit ${rowsPerPage}`)

const playAddressesOf: ExportedPage = (tx, id, after) =>
  ownPlayAddresses(tx, id, after?.['participationId'] as string | undefined, rowsPerPage)

/** Includes the accepted text. */
const ndaAcceptancesOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select a.id, a.participation_id, a.campaign_id, a.version, n.text, a.name, a.ip, a.accepted_at
    from nda_acceptances a join nda_texts n on n.campaign_id = a.campaign_id and n.version = a.version
    where a.tester_id = ${id} ${after ? sql`and a.id > ${after['id']}` : empty} order by a.id limit ${rowsPerPage}`)

/** The NDAs that a developer asked testers to accept. */
const ndasOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select n.campaign_id, n.version, n.text, n.set_at from campaigns c join nda_texts n on n.campaign_id = c.id
    where c.developer_id = ${id}
      ${after ? sql`and (n.campaign_id, n.version) > (${after['campaign_id']}, ${after['version']})` : empty}
    order by n.campaign_id, n.version limit ${rowsPerPage}`)

/** The bounds let PostgreSQL read only the monthly partitions that can contain a test's days, in any time zone (decision 050). */
const checkInsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select i.participation_id, i.day, i.at, i.note, i.minutes, i.features, i.code
    from participations p cross join lateral (select * from all_check_ins k where k.participation_id = p.id
      and k.day between (p.joined_at - interval '2 days')::date and p.last_check_in_day offset 0) i
    where p.tester_id = ${id} ${after ? sql`and p.id >= ${after['participation_id']}` : empty}
      ${after ? sql`and (i.participation_id, i.day) > (${after['participation_id']}, ${after['day']})` : empty}
    order by i.participation_id, i.day limit ${rowsPerPage}`)

const bugsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select b.id, b.campaign_id, b.number, b.participation_id, b.title, b.severity, b.steps, b.expected, b.actual,
      b.app_version, b.status, b.fixed_in, b.reported_at
    from participations p join bugs b on b.participation_id = p.id
    where p.tester_id = ${id} ${after ? sql`and b.id > ${after['id']}` : empty} order by b.id limit ${rowsPerPage}`)

/** What the user said and decided in bug threads. */
const bugEventsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select id, bug_id, at, kind, text, duplicate_of, version, severity from bug_events
    where author_id = ${id} ${afterId(after)} order by id limit ${rowsPerPage}`)

const changesOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select c.id, v.campaign_id, v.version, v.published_at, c.text
    from campaigns k join versions v on v.campaign_id = k.id join changes c on c.version_id = v.id
    where k.developer_id = ${id} ${after ? sql`and c.id > ${after['id']}` : empty} order by c.id limit ${rowsPerPage}`)

const feedbackFormsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select f.campaign_id, f.version, f.questions, f.saved_at
    from campaigns c join feedback_forms f on f.campaign_id = c.id where c.developer_id = ${id}
      ${after ? sql`and (f.campaign_id, f.version) > (${after['campaign_id']}, ${after['version']})` : empty}
    order by f.campaign_id, f.version limit ${rowsPerPage}`)

const feedbackOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select f.participation_id, f.campaign_id, f.version, f.answers, f.answered_at
    from participations p join feedback_answers f on f.participation_id = p.id where p.tester_id = ${id}
      ${after ? sql`and f.participation_id > ${after['participation_id']}` : empty}
    order by f.participation_id limit ${rowsPerPage}`)

/** The versions that answered the user's feedback, and what the user found in them. */
const feedbackRetestsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select f.participation_id, f.change_id, f.question_id, f.question, f.quote, f.result, f.note, f.answered_at
    from participations p join change_feedback f on f.participation_id = p.id where p.tester_id = ${id}
      ${after ? sql`and (f.participation_id, f.change_id, f.question_id) > (${after['participation_id']}, ${after['change_id']}, ${after['question_id']})` : empty}
    order by f.participation_id, f.change_id, f.question_id limit ${rowsPerPage}`)

/** The files are at /attachments/{id}. */
const attachmentsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select id, content_type, bytes, width, height, created_at, participation_id, kind, day, bug_event_id from attachments
    where uploader_id = ${id} and stored_at is not null ${afterId(after)} order by id limit ${rowsPerPage}`)

const transactionsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select id, type, status, amount_cents, description, campaign_id, created_at from transactions
    where user_id = ${id} ${after ? sql`and seq > (select seq from transactions where id = ${after['id']})` : empty}
    order by seq limit ${rowsPerPage}`)

const withdrawalsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select id, amount_cents, destination, status, failure_reason, created_at, settled_at from withdrawals
    where tester_id = ${id} ${afterId(after)} order by id limit ${rowsPerPage}`)

const paymentsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select p.id, p.campaign_id, p.amount_cents, p.provider, p.counterparty, p.status, p.failure_reason, p.created_at
    from campaigns c join payments p on p.campaign_id = c.id where c.developer_id = ${id}
      ${after ? sql`and (p.campaign_id, p.id) > (${after['campaign_id']}, ${after['id']}) and c.id >= ${after['campaign_id']}` : empty}
    order by p.campaign_id, p.id limit ${rowsPerPage}`)

/** Each refund in its parts, by the payments that they go back to. */
const refundsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select p.id, r.campaign_id, p.refund_id, p.payment_id, p.amount_cents, p.counterparty, p.status, p.dispute_id is not null as paid_by_bank,
      r.created_at, p.settled_at
    from campaigns c join refunds r on r.campaign_id = c.id join refund_parts p on p.refund_id = r.id where c.developer_id = ${id}
      ${after ? sql`and (r.campaign_id, p.id) > (${after['campaign_id']}, ${after['id']}) and c.id >= ${after['campaign_id']}` : empty}
    order by r.campaign_id, p.id limit ${rowsPerPage}`)

/** What banks took back of the user's payments, or want to, and what became of that. */
const disputesOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select d.id, d.campaign_id, d.payment_id, d.amount_cents, d.reason, d.status, d.opened_at, d.closed_at, d.covered_cents,
      d.set_off_cents, d.settled_cents, d.waived_cents, d.give_back_cents
    from campaigns c join disputes d on d.campaign_id = c.id where c.developer_id = ${id}
      ${after ? sql`and (d.campaign_id, d.id) > (${after['campaign_id']}, ${after['id']}) and c.id >= ${after['campaign_id']}` : empty}
    order by d.campaign_id, d.id limit ${rowsPerPage}`)

/** The Stripe accounts; withdrawals go to the first, the others are former ones. */
const payoutAccountsOf: ExportedPage = (tx, id, after) =>
  after
    ? Promise.resolve([])
    : tx.rows(sql`select account_id, country, status, missing, created_at, null::timestamptz as removed_at
        from payout_accounts where user_id = ${id}
      union all select account_id, country, null, '{}', null, removed_at from removed_payout_accounts where user_id = ${id}
      order by removed_at desc nulls first`)

const notificationsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select id, kind, subject, text, about_kind, about_id, about_test_id, delivery, created_at, read_at
    from notifications
    where user_id = ${id} ${afterId(after)} order by id limit ${rowsPerPage}`)

const notificationChoicesOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select topic, delivery from notification_choices
    where user_id = ${id} ${after ? sql`and topic > ${after['topic']}` : empty} order by topic limit ${rowsPerPage}`)

const digestsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select id, period, day::text, notification_ids, made_at from digests
    where user_id = ${id} ${after ? sql`and (period, day) > (${after['period']}, ${after['day']}::date)` : empty}
    order by period, day limit ${rowsPerPage}`)

/** Only if the address is confirmed, because a stranger may have registered with it. */
const waitlistOf: ExportedPage = (tx, id, after) =>
  after
    ? Promise.resolve([])
    : tx.rows(sql`select w.id, w.email, w.country, w.role, w.created_at from users u join waitlist w on w.email = u.email
        where u.id = ${id} ${mailGoesOut() ? sql`and u.email_verified_at is not null` : empty}`)

const afterId = (after: Row | undefined) => (after ? sql`and id > ${after['id']}` : empty)

/** Every kind of row stored about a user, by its name in the export. */
export const exported: Record<Exclude<keyof PersonalData, 'exportedAt' | 'user'>, ExportedPage> = {
  sessions: sessionsOf,
  pastDevices: pastDevicesOf,
  secondFactors: secondFactorsOf,
  campaigns: campaignsOf,
  tests: testsOf,
  appeals: appealsOf,
  optIns: optInsOf,
  benchPlaces: benchPlacesOf,
  passedSeats: passedSeatsOf,
  playAddresses: playAddressesOf,
  ndas: ndasOf,
  ndaAcceptances: ndaAcceptancesOf,
  checkIns: checkInsOf,
  bugs: bugsOf,
  bugEvents: bugEventsOf,
  changes: changesOf,
  feedbackForms: feedbackFormsOf,
  feedback: feedbackOf,
  feedbackRetests: feedbackRetestsOf,
  attachments: attachmentsOf,
  transactions: transactionsOf,
  payments: paymentsOf,
  refunds: refundsOf,
  disputes: disputesOf,
  withdrawals: withdrawalsOf,
  payoutAccounts: payoutAccountsOf,
  notifications: notificationsOf,
  notificationChoices: notificationChoicesOf,
  digests: digestsOf,
  waitlist: waitlistOf,
}
