/** What keeps an account from being deleted, and what a deletion changes in all slices (deleting.ts). */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { forgotten } from '../../kit/words.ts'
import { erasePlayAddressesOf } from '../../playAddresses/server/playAddresses.ts'
import { deleteFactors } from './secondFactor.queries.ts'

export type LeftOpen = {
  openCampaigns: number
  /** Campaigns that have ended, but still have undecided proofs. */
  undecidedCampaigns: number
  /** Tests that the tester can leave. */
  openTests: number
  /** Tests that cannot be left any more, because their proofs are under review. */
  proofsInReview: number
  openAppeals: number
  /** Places on reserve benches. */
  benches: number
  balanceCents: number
  /** For payments that banks took back. */
  owedCents: number
  /** Pages of the provider that wait for the developer to pay. */
  unfinishedPayments: number
  pendingMoney: number
  endingPayments: number
  isLastAdmin: boolean
}

/** Locks the user, so nothing can be started during the deletion. For an admin, locks all admins, so one is sure to remain. */
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
        + (select count(*) from charges where developer_id = ${id} and status = 'PENDING' and checkout_url is null)
        + (select count(*) from transactions where user_id = ${id} and status = 'PENDING')
        + (select count(*) from campaigns where developer_id = ${id} and (disputed_since is not null or after_dispute))
        + (select count(*) from campaigns c join disputes d on d.campaign_id = c.id where c.developer_id = ${id}
          and give_back_cents > 0) as "pendingMoney",
      (select count(*) from charges where developer_id = ${id} and status = 'PENDING' and checkout_url is not null
        and ended_at is null) as "unfinishedPayments",
      (select count(*) from charges where developer_id = ${id} and status = 'PENDING' and checkout_url is not null
        and ended_at is not null) as "endingPayments",
      (select role = 'ADMIN' from users where id = ${id})
        and not exists (select from users where role = 'ADMIN' and id <> ${id} and deleted_at is null) as "isLastAdmin"
      from (select count(*) filter (where status = 'SUBMITTED') as "proofsInReview",
          count(*) filter (where status = 'APPEALED') as "openAppeals",
          count(*) filter (where status not in ('SUBMITTED', 'APPEALED', 'REJECTED')) as "openTests"
        from participations where tester_id = ${id} and closed_at is null) own_tests`,
    'User',
  )
}

/**
 * The balance is still what `leftOpen` read, because a payment to a tester without an open test first has to lock the user's row.
 */
export const giveUpBalance = async (tx: Tx, id: string, cents: number, now: string): Promise<void> => {
  const outcome = await tx.value<string>(sql`select give_up_balance(${id}, ${id}, ${cents}, ${now})`)
  if (outcome !== 'OK') throw new Error(`giving up the balance of ${id} was refused with ${outcome}`)
}

/**
 * Anonymizes rows instead of deleting them where the books refer to them. With `ONCE_CONFIRMED`, an unconfirmed address stays on
 * the waitlist, because it may be somebody else's.
 */
export const forgetPerson = async (
  tx: Tx,
  id: string,
  { now, addressIsTheirs }: { now: string; addressIsTheirs: 'ONCE_CONFIRMED' | 'ALWAYS' },
): Promise<void> => {
  // Former addresses count too, but a requested one may be somebody else's.
  await tx.run(sql`delete from login_failures where email in (select email from users where id = ${id}
    union select email from email_links where user_id = ${id} and purpose <> 'CHANGE_EMAIL')`)
  await tx.run(sql`delete from waitlist where email = (select email from users where id = ${id}
    ${addressIsTheirs === 'ONCE_CONFIRMED' ? sql`and email_verified_at is not null` : empty})`)
  await tx.run(sql`delete from mail_refusals where address = (select email from users where id = ${id})`)
  // The end of the id, which is random, tells deleted admins apart in the audit log.
  await tx.run(sql`update users set email = 'deleted-' || id || '@deleted.invalid',
    name = case role when 'ADMIN' then 'Deleted admin ' || right(id::text, 8) else 'Deleted user' end,
    password_hash = '', country = null, payment_method = null, time_zone = 'UTC', deleted_at = ${now} where id = ${id}`)
  await tx.run(
    sql`update sessions set ip = '', network = null, user_agent = '', device_fingerprint = null where user_id = ${id}`,
  )
  // This comes after the sessions, because those deleted at the same time have recorded their devices by now.
  await tx.run(sql`delete from past_device_uses where user_id = ${id}`)
  await tx.run(sql`update participations set device_model = ${forgotten}, device_manufacturer = null,
    device_fingerprint = null where tester_id = ${id}`)
  // Nobody is left to do these retests.
  await tx.run(sql`update bug_retests r set withdrawn_at = ${now} from participations p join bugs b on b.participation_id = p.id
    where p.tester_id = ${id} and r.bug_id = b.id and r.result is null and r.withdrawn_at is null`)
  await tx.run(sql`update change_feedback f set withdrawn_at = ${now} from participations p
    where p.tester_id = ${id} and f.participation_id = p.id and f.result is null and f.withdrawn_at is null`)
  // The acceptance and its time stay on record under the alias; the developer may already have exported the name.
  await tx.run(sql`update nda_acceptances set name = 'Deleted user', ip = '' where tester_id = ${id}`)
  await tx.run(sql`update withdrawals set destination = ${forgotten} where tester_id = ${id}`)
  await tx.run(sql`update payments set counterparty = ${forgotten}
    where campaign_id in (select id from campaigns where developer_id = ${id})`)
  await tx.run(sql`update charges set counterparty = ${forgotten}, checkout_url = null
    where campaign_id in (select id from campaigns where developer_id = ${id})`)
  await tx.run(sql`update refund_parts set counterparty = ${forgotten}
    where refund_id in (select id from refunds where developer_id = ${id})`)
  // Clears only the note. The transfer's number stays, because it finds the transfer in the bank's books.
  const partsOf = sql`select p.id from refunds r join refund_parts p on p.refund_id = r.id where r.developer_id = ${id}`
  await tx.run(sql`with twice as (update over_refunds set note = null where part_id in (${partsOf}))
    update outside_refunds set note = null where part_id in (${partsOf})`)
  const disputesOf = sql`select d.id from campaigns c join disputes d on d.campaign_id = c.id where c.developer_id = ${id}`
  await tx.run(sql`with settled as (update dispute_settlements set note = null where dispute_id in (${disputesOf}))
    update disputes set note = null where note is not null and id in (${disputesOf})`)
  await tx.run(sql`update transactions set description = 'Withdrawal' where user_id = ${id} and type = 'PAYOUT'`)
  await tx.run(sql`update sandbox_movements set counterparty = ${forgotten} where request_id in (
    select id from withdrawals where tester_id = ${id}
    union all select p.id from campaigns c join payments p on p.campaign_id = c.id where c.developer_id = ${id}
    union all select h.id from campaigns c join charges h on h.campaign_id = c.id where c.developer_id = ${id}
    union all select p.id from refunds r join refund_parts p on p.refund_id = r.id where r.developer_id = ${id})`)
  await forgetEventsAbout(tx, id)
  // Nobody sees these files any more, and the sweep erases them. The evidence for a paid test is kept (decision 024).
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
  // The admins' notifications about this user's money contain the name.
  await tx.run(sql`delete from notifications where about_kind = 'PAYOUT'
    and about_id = any(array(select id from withdrawals where tester_id = ${id}))`)
  await tx.run(sql`delete from notifications where about_kind = 'STUCK_REFUND' and about_id = any(array(${partsOf}))`)
  // So do the notifications to the other admins about a deleted admin.
  await tx.run(sql`delete from notifications where about_kind = 'ADMIN' and about_id = ${id}`)
  await tx.run(sql`delete from digests where user_id = ${id}`)
  await tx.run(sql`delete from notification_choices where user_id = ${id}`)
  await tx.run(sql`delete from mail_refusals where address in (select email from email_links where user_id = ${id})`)
  await tx.run(sql`delete from email_links where user_id = ${id}`)
}

/** Only in a restored copy can a deleted user still be on a bench. */
const leaveBenches = (tx: Tx, id: string, now: string): Promise<unknown> =>
  tx.run(sql`select leave_bench(e.id, ${now}) from (
    select id from bench_entries where tester_id = ${id} order by campaign_id) e`)

/**
 * Nobody is left to continue these campaigns, and no tester has seen a campaign that never started. If it was paid and refunded,
 * its title stays, because the books contain it. A campaign that is still paid for keeps its owner from leaving (`leftOpen`); in
 * a restored copy, an admin deals with it.
 */
const cancelDrafts = async (tx: Tx, id: string, now: string): Promise<void> => {
  await tx.run(sql`select cancel_campaign(c.id, gen_random_uuid(), ${now}) from (select id from campaigns
    where developer_id = ${id} and status in ('DRAFT', 'REJECTED') and funded_cents + fee_cents = 0 order by id) c`)
  const neverStarted = sql`select c.id from campaigns c
    where c.developer_id = ${id} and c.status = 'CANCELLED' and c.start_date is null`
  await tx.run(sql`update nda_texts set text = ${forgotten} where campaign_id in (${neverStarted})`)
  await tx.run(sql`update feedback_forms set questions = '[]' where campaign_id in (${neverStarted})`)
  // It may repeat what the texts said. The audit log keeps it as long as it keeps what admins did.
  await tx.run(sql`update campaign_events set facts = facts || jsonb_build_object('reason', ${forgotten}::text)
    where campaign_id in (${neverStarted}) and kind = 'REJECTED'`)
  await tx.run(sql`update campaigns set description = ${forgotten}, distribution_link = ${noLink},
      group_link = case when group_link is not null then ${noLink} end, features = '{}', feedback_questions = 0,
      title = case when exists (select from payments where campaign_id = campaigns.id and status = 'COMPLETED')
        then title else 'Deleted draft' end
    where id in (${neverStarted})`)
}

/** Leads nowhere, because names under `invalid` do not exist. */
const noLink = 'https://deleted.invalid/'

/**
 * Empties the provider's events about the user's payments, disputes and payout accounts, which earlier releases stored in full.
 * Unprocessed events are emptied when they are old.
 */
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
