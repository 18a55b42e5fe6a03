/** What keeps an account from being deleted, and what a deletion changes in all slices (deleting.ts). */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { forgotten } from '../../kit/words.ts'
import { erasePlayAddressesOf } from '../../playAddresses/server/playAddresses.ts'
import { deleteFactors } from './secondFactor.queries.ts'

export type LeftOpen = {
  openCampaigns: number
  /** Campaigns that have ended, but for proofs that are not decided. */
  undecidedCampaigns: number
  /** Tests that their tester can leave. */
  openTests: number
  /** Tests that cannot be left any more: their proofs are under review. */
  proofsInReview: number
  openAppeals: number
  /** Places in line for a seat. */
  benches: number
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
        and (status in ('PENDING_APPROVAL', 'APPROVED', 'LIVE', 'PAUSED') or
          (status in ('DRAFT', 'REJECTED') and funded_cents > 0))) as "openCampaigns",
      (select count(*) from campaigns where developer_id = ${id} and status in ('CANCELLED', 'COMPLETED')
        and open_testers > 0) as "undecidedCampaigns",
      (select count(*) from bench_entries where tester_id = ${id}) as benches,
      own_tests.*,
      balance_of_tester(${id}) as "balanceCents", owed_by_developer(${id}) as "owedCents",
      (select count(*) from withdrawals where tester_id = ${id} and status = 'PENDING')
        + (select count(*) from charges where developer_id = ${id} and status = 'PENDING')
        + (select count(*) from transactions where user_id = ${id} and status = 'PENDING')
        + (select count(*) from campaigns where developer_id = ${id} and (disputed_since is not null or after_dispute)) as "pendingMoney",
      (select role = 'ADMIN' from users where id = ${id})
        and not exists (select from users where role = 'ADMIN' and id <> ${id} and deleted_at is null) as "isLastAdmin"
      from (select count(*) filter (where status = 'SUBMITTED') as "proofsInReview",
          count(*) filter (where status = 'APPEALED') as "openAppeals",
          count(*) filter (where status not in ('SUBMITTED', 'APPEALED', 'REJECTED')) as "openTests"
        from participations where tester_id = ${id} and closed_at is null) own_tests`,
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
  // What an admin did stays together in the audit log, and apart from what others did. The end of an id is random.
  await tx.run(sql`update users set email = 'deleted-' || id || '@deleted.invalid',
    name = case role when 'ADMIN' then 'Deleted admin ' || right(id::text, 8) else 'Deleted user' end,
    password_hash = '', country = null, payment_method = null, time_zone = 'UTC', deleted_at = ${now} where id = ${id}`)
  await tx.run(
    sql`update sessions set ip = '', network = null, user_agent = '', device_fingerprint = null where user_id = ${id}`,
  )
  // After the sessions: those that are being deleted meanwhile have left their devices by then.
  await tx.run(sql`delete from past_device_uses where user_id = ${id}`)
  await tx.run(sql`update participations set device_model = ${forgotten}, device_manufacturer = null,
    device_fingerprint = null where tester_id = ${id}`)
  // Nobody is left to look again.
  await tx.run(sql`update bug_retests r set withdrawn_at = ${now} from participations p join bugs b on b.participation_id = p.id
    where p.tester_id = ${id} and r.bug_id = b.id and r.result is null and r.withdrawn_at is null`)
  await tx.run(sql`update change_feedback f set withdrawn_at = ${now} from participations p
    where p.tester_id = ${id} and f.participation_id = p.id and f.result is null and f.withdrawn_at is null`)
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
  await cancelDrafts(tx, id, now)
  await tx.run(sql`delete from bench_passes where tester_id = ${id}`)
  await tx.run(sql`delete from removed_uploads where uploader_id = ${id}`)
  await deleteFactors(tx, id)
  await tx.run(sql`delete from notifications where user_id = ${id}`)
  // What admins were told of their money has the name in it.
  await tx.run(sql`delete from notifications where about_kind = 'PAYOUT'
    and about_id = any(array(select id from withdrawals where tester_id = ${id}))`)
  await tx.run(sql`delete from notifications where about_kind = 'STUCK_REFUND' and about_id = any(array(${partsOf}))`)
  // Likewise what admins were told of another admin.
  await tx.run(sql`delete from notifications where about_kind = 'ADMIN' and about_id = ${id}`)
  await tx.run(sql`delete from digests where user_id = ${id}`)
  await tx.run(sql`delete from notification_choices where user_id = ${id}`)
  await tx.run(sql`delete from mail_refusals where address in (select email from email_links where user_id = ${id})`)
  await tx.run(sql`delete from email_links where user_id = ${id}`)
}

/** Only in a restored copy is somebody who is deleted still in a line. */
const leaveBenches = (tx: Tx, id: string, now: string): Promise<unknown> =>
  tx.run(sql`select leave_bench(e.id, ${now}) from (
    select id from bench_entries where tester_id = ${id} order by campaign_id) e`)

/**
 * Nobody could go on with them, and no tester has seen what never started. Of what was paid once and refunded, the title stays,
 * because the books have it. What is still paid keeps its owner from leaving (`leftOpen`); a restored copy leaves it to an admin.
 */
const cancelDrafts = async (tx: Tx, id: string, now: string): Promise<void> => {
  await tx.run(sql`select cancel_campaign(c.id, gen_random_uuid(), ${now}) from (select id from campaigns
    where developer_id = ${id} and status in ('DRAFT', 'REJECTED') and funded_cents + fee_cents = 0 order by id) c`)
  const neverStarted = sql`select c.id from campaigns c
    where c.developer_id = ${id} and c.status = 'CANCELLED' and c.start_date is null`
  await tx.run(sql`update nda_texts set text = ${forgotten} where campaign_id in (${neverStarted})`)
  await tx.run(sql`update feedback_forms set questions = '[]' where campaign_id in (${neverStarted})`)
  await tx.run(sql`update campaigns set description = ${forgotten}, distribution_link = ${noLink},
      group_link = case when group_link is not null then ${noLink} end, features = '{}', feedback_questions = 0,
      title = case when exists (select from payments where campaign_id = campaigns.id and status = 'COMPLETED')
        then title else 'Deleted draft' end
    where id in (${neverStarted})`)
}

/** A link that is none: names under `invalid` lead nowhere. */
const noLink = 'https://deleted.invalid/'

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
