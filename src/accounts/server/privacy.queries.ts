/** SQL over a user's data in all slices (privacy.ts). */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { forgotten } from '../../kit/words.ts'
import { erasePlayAddressesOf, ownPlayAddresses } from '../../playAddresses/server/playAddresses.ts'
import { mailGoesOut } from '../../notifications/server/notifications.ts'
import type { PersonalData } from '../contract.ts'
import { deleteFactors } from './secondFactor.queries.ts'

export type Row = Record<string, unknown>

export const rowsPerPage = 500

/** The rows that follow `after` in the order of their export. */
type ExportedPage = (tx: Tx, id: string, after: Row | undefined) => Promise<Row[]>

/** By their times in milliseconds, as `after` has them: its row may have been deleted since. */
const sessionsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select id, ip, user_agent, device_fingerprint, created_at, last_used_at, ended_at, end_reason from sessions
    where user_id = ${id} ${
      after
        ? sql`and created_at >= ${after['created_at']}
            and (date_trunc('milliseconds', created_at), id) > (${after['created_at']}::timestamptz, ${after['id']}::uuid)`
        : empty
    }
    order by date_trunc('milliseconds', created_at), id limit ${rowsPerPage}`)

/** Devices of sessions that have been deleted since. */
const pastDevicesOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select device as device_fingerprint, first_at as first_seen_at from past_device_uses
    where user_id = ${id} ${after ? sql`and device > ${after['device_fingerprint']}` : empty}
    order by device limit ${rowsPerPage}`)

/** Few: all on the first page. */
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
      device_fingerprint, time_zone, joined_at, proof_text, proof_links, proof_submitted_at, review_note,
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

/** In lines that they have left. */
const passedSeatsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select campaign_id, passes from bench_passes where tester_id = ${id}
    ${after ? sql`and campaign_id > ${after['campaign_id']}` : empty} order by campaign_id limit ${rowsPerPage}`)

const playAddressesOf: ExportedPage = (tx, id, after) =>
  ownPlayAddresses(tx, id, after?.['participationId'] as string | undefined, rowsPerPage)

/** With the text that was accepted. */
const ndaAcceptancesOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select a.id, a.participation_id, a.campaign_id, a.version, n.text, a.name, a.ip, a.accepted_at
    from nda_acceptances a join nda_texts n on n.campaign_id = a.campaign_id and n.version = a.version
    where a.tester_id = ${id} ${after ? sql`and a.id > ${after['id']}` : empty} order by a.id limit ${rowsPerPage}`)

/** Those that a developer asked for. */
const ndasOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select n.campaign_id, n.version, n.text, n.set_at from campaigns c join nda_texts n on n.campaign_id = c.id
    where c.developer_id = ${id}
      ${after ? sql`and (n.campaign_id, n.version) > (${after['campaign_id']}, ${after['version']})` : empty}
    order by n.campaign_id, n.version limit ${rowsPerPage}`)

/** Of all months, PostgreSQL looks only into those of each test's days, in any time zone (decision 050). */
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

/** What they said and decided in the threads of bugs. */
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

/** Of their feedback, what a version answered, and what they found in it. */
const feedbackRetestsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select f.participation_id, f.change_id, f.question_id, f.question, f.quote, f.result, f.note, f.answered_at
    from participations p join change_feedback f on f.participation_id = p.id where p.tester_id = ${id}
      ${after ? sql`and (f.participation_id, f.change_id, f.question_id) > (${after['participation_id']}, ${after['change_id']}, ${after['question_id']})` : empty}
    order by f.participation_id, f.change_id, f.question_id limit ${rowsPerPage}`)

/** Each file itself is at /attachments/{id}. */
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

/** In the parts in which they go back to what was charged. */
const refundsOf: ExportedPage = (tx, id, after) =>
  tx.rows(sql`select p.id, r.campaign_id, p.refund_id, p.payment_id, p.amount_cents, p.counterparty, p.status, p.dispute_id is not null as paid_by_bank,
      r.created_at, p.settled_at
    from campaigns c join refunds r on r.campaign_id = c.id join refund_parts p on p.refund_id = r.id where c.developer_id = ${id}
      ${after ? sql`and (r.campaign_id, p.id) > (${after['campaign_id']}, ${after['id']}) and c.id >= ${after['campaign_id']}` : empty}
    order by r.campaign_id, p.id limit ${rowsPerPage}`)

/** At Stripe. The first is where withdrawals go, the others are former ones. */
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

/** Theirs once they have shown that the address is: a stranger may have registered with it. */
const waitlistOf: ExportedPage = (tx, id, after) =>
  after
    ? Promise.resolve([])
    : tx.rows(sql`select w.id, w.email, w.country, w.role, w.created_at from users u join waitlist w on w.email = u.email
        where u.id = ${id} ${mailGoesOut() ? sql`and u.email_verified_at is not null` : empty}`)

const afterId = (after: Row | undefined) => (after ? sql`and id > ${after['id']}` : empty)

/** Every kind of row that is stored about a user, under its name in the export. */
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
  withdrawals: withdrawalsOf,
  payoutAccounts: payoutAccountsOf,
  notifications: notificationsOf,
  notificationChoices: notificationChoicesOf,
  digests: digestsOf,
  waitlist: waitlistOf,
}

export type LeftOpen = {
  openCampaigns: number
  openTests: number
  balanceCents: number
  /** For payments that banks took back. */
  owedCents: number
  pendingMoney: number
  isLastAdmin: boolean
}

/** Locks the user, so that nothing is started during the deletion; for an admin all admins, so that one remains. */
export const leftOpen = async (tx: Tx, id: string): Promise<LeftOpen> => {
  await tx.run(sql`select from users where id = ${id} or (role = 'ADMIN' and deleted_at is null
    and (select role from users where id = ${id}) = 'ADMIN') order by id for update`)
  return tx.one(
    sql`select
      (select count(*) from campaigns where developer_id = ${id}
        and (status in ('PENDING_APPROVAL', 'APPROVED', 'LIVE', 'PAUSED') or open_testers > 0 or
          (status in ('DRAFT', 'REJECTED') and funded_cents > 0))) as "openCampaigns",
      (select count(*) from participations where tester_id = ${id} and closed_at is null and status <> 'REJECTED')
        + (select count(*) from bench_entries where tester_id = ${id}) as "openTests",
      balance_of_tester(${id}) as "balanceCents", owed_by_developer(${id}) as "owedCents",
      (select count(*) from withdrawals where tester_id = ${id} and status = 'PENDING')
        + (select count(*) from charges where developer_id = ${id} and status = 'PENDING')
        + (select count(*) from transactions where user_id = ${id} and status = 'PENDING')
        + (select count(*) from campaigns where developer_id = ${id} and (disputed_since is not null or after_dispute)) as "pendingMoney",
      (select role = 'ADMIN' from users where id = ${id})
        and not exists (select from users where role = 'ADMIN' and id <> ${id} and deleted_at is null) as "isLastAdmin"`,
    'User',
  )
}

/** The balance cannot have changed since `leftOpen`: whoever pays a tester without an open test looks at the user's row first. */
export const giveUpBalance = async (tx: Tx, id: string, cents: number, now: string): Promise<void> => {
  const outcome = await tx.value<string>(sql`select give_up_balance(${id}, ${id}, ${cents}, ${now})`)
  if (outcome !== 'OK') throw new Error(`giving up the balance of ${id} was refused with ${outcome}`)
}

/** Anonymizes the rows but keeps them, because the books refer to them. An address that is not theirs leaves the waitlist alone. */
export const forgetPerson = async (
  tx: Tx,
  id: string,
  { now, addressIsTheirs }: { now: string; addressIsTheirs: 'ONCE_CONFIRMED' | 'ALWAYS' },
): Promise<void> => {
  // Also of former addresses. One that was only asked for may be somebody else's.
  await tx.run(sql`delete from login_failures where email in (select email from users where id = ${id}
    union select email from email_links where user_id = ${id} and purpose <> 'CHANGE_EMAIL')`)
  await tx.run(sql`delete from waitlist where email = (select email from users where id = ${id}
    ${addressIsTheirs === 'ONCE_CONFIRMED' ? sql`and email_verified_at is not null` : empty})`)
  await tx.run(sql`delete from mail_refusals where address = (select email from users where id = ${id})`)
  await tx.run(sql`update users set email = 'deleted-' || id || '@deleted.invalid', name = 'Deleted user',
    password_hash = '', country = null, payment_method = null, time_zone = 'UTC', deleted_at = ${now} where id = ${id}`)
  await tx.run(
    sql`update sessions set ip = '', network = null, user_agent = '', device_fingerprint = null where user_id = ${id}`,
  )
  // After the sessions: those that are being deleted meanwhile have left their devices by then.
  await tx.run(sql`delete from past_device_uses where user_id = ${id}`)
  await tx.run(sql`update participations set device_model = ${forgotten}, device_manufacturer = null,
    device_fingerprint = null where tester_id = ${id}`)
  // What was accepted and when stays on record with the alias; the developer may have exported the name before.
  await tx.run(sql`update nda_acceptances set name = 'Deleted user', ip = '' where tester_id = ${id}`)
  await tx.run(sql`update withdrawals set destination = ${forgotten} where tester_id = ${id}`)
  await tx.run(sql`update payments set counterparty = ${forgotten}
    where campaign_id in (select id from campaigns where developer_id = ${id})`)
  await tx.run(sql`update charges set counterparty = ${forgotten}, checkout_url = null
    where campaign_id in (select id from campaigns where developer_id = ${id})`)
  await tx.run(sql`update refund_parts set counterparty = ${forgotten}
    where refund_id in (select id from refunds where developer_id = ${id})`)
  // How it was paid stays: the number of the transfer is what finds it in the books of the bank.
  const partsOf = sql`select p.id from refunds r join refund_parts p on p.refund_id = r.id where r.developer_id = ${id}`
  await tx.run(sql`with twice as (update over_refunds set note = null where part_id in (${partsOf}))
    update outside_refunds set note = null where part_id in (${partsOf})`)
  await tx.run(sql`update transactions set description = 'Withdrawal' where user_id = ${id} and type = 'PAYOUT'`)
  await tx.run(sql`update sandbox_movements set counterparty = ${forgotten} where request_id in (
    select id from withdrawals where tester_id = ${id}
    union all select p.id from campaigns c join payments p on p.campaign_id = c.id where c.developer_id = ${id}
    union all select h.id from campaigns c join charges h on h.campaign_id = c.id where c.developer_id = ${id}
    union all select p.id from refunds r join refund_parts p on p.refund_id = r.id where r.developer_id = ${id})`)
  await forgetEventsAbout(tx, id)
  // Nobody sees them any more, and the sweep erases the files. What a paid test rests on stays with it (decision 024).
  await tx.run(sql`update attachments a set stored_at = null, participation_id = null, kind = null, day = null,
      position = null, bug_event_id = null, loose_since = '-infinity'
    where uploader_id = ${id} and not exists (select from participations
      where id = a.participation_id and status = 'VERIFIED' and tester_id = ${id})`)
  await tx.run(sql`delete from idempotency_keys where user_id = ${id}`)
  await erasePlayAddressesOf(tx, id)
  await leaveBenches(tx, id, now)
  await tx.run(sql`delete from bench_passes where tester_id = ${id}`)
  await tx.run(sql`delete from removed_uploads where uploader_id = ${id}`)
  await deleteFactors(tx, id)
  await tx.run(sql`delete from notifications where user_id = ${id}`)
  // What admins were told of their money has the name in it.
  await tx.run(sql`delete from notifications where about_kind = 'PAYOUT'
    and about_id = any(array(select id from withdrawals where tester_id = ${id}))`)
  await tx.run(sql`delete from notifications where about_kind = 'STUCK_REFUND' and about_id = any(array(${partsOf}))`)
  await tx.run(sql`delete from digests where user_id = ${id}`)
  await tx.run(sql`delete from notification_choices where user_id = ${id}`)
  await tx.run(sql`delete from mail_refusals where address in (select email from email_links where user_id = ${id})`)
  await tx.run(sql`delete from email_links where user_id = ${id}`)
}

/** Only in a restored copy is somebody who is deleted still in a line. */
const leaveBenches = (tx: Tx, id: string, now: string): Promise<unknown> =>
  tx.run(sql`select leave_bench(e.id, ${now}) from (
    select id from bench_entries where tester_id = ${id} order by campaign_id) e`)

/** What a provider told of the person’s payments, disputes and payout account. What is not worked off yet is emptied when it is old. */
const forgetEventsAbout = async (tx: Tx, id: string): Promise<void> => {
  const campaigns = sql`select id from campaigns where developer_id = ${id}`
  await tx.run(sql`update provider_events set payload = '{}' where processed_at is not null and payload <> '{}' and (
    payload -> 'data' -> 'object' -> 'metadata' ->> 'campaign' = any(array(select id::text from (${campaigns}) c))
    or payload -> 'data' -> 'object' ->> 'id' = any(array(
      select reference from disputes where campaign_id in (${campaigns})
      union all select account_id from payout_accounts where user_id = ${id}
      union all select account_id from removed_payout_accounts where user_id = ${id})))`)
  await tx.run(sql`delete from payout_accounts where user_id = ${id}`)
  await tx.run(sql`delete from removed_payout_accounts where user_id = ${id}`)
}

export type Deleted = { id: string; at: string }

export const deletedSince = (tx: Tx, since: string): Promise<Deleted[]> =>
  tx.rows(sql`select id, deleted_at as at from users where deleted_at >= ${since} order by deleted_at`)

export const lockPresent = (tx: Tx, id: string): Promise<object | undefined> =>
  tx.maybe(sql`select id from users where id = ${id} and deleted_at is null for update`)
