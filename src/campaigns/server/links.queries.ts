import { sql, type Tx } from '../../kit/server/db.ts'

/** The waiting link to the app and to the Google Group; null where none waits. */
export type PendingLinks = { pendingLink: string | null; pendingGroupLink: string | null }

export const setPendingLinks = (tx: Tx, id: string, pending: PendingLinks, now: string): Promise<number> =>
  tx.run(sql`update campaigns set pending_link = ${pending.pendingLink},
    pending_group_link = ${pending.pendingGroupLink}, link_requested_at = ${now},
    link_request = nextval('campaign_link_requests') where id = ${id}`)

export const adoptPendingLinks = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`update campaigns set distribution_link = coalesce(pending_link, distribution_link), pending_link = null,
    group_link = coalesce(pending_group_link, group_link), pending_group_link = null where id = ${id}`)

export const clearPendingLinks = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`update campaigns set pending_link = null, pending_group_link = null where id = ${id}`)

export type LinkEvent = 'LINK_REQUESTED' | 'LINK_WITHDRAWN' | 'LINK_APPROVED' | 'LINK_REJECTED'

export const insertLinkEvent = (
  tx: Tx,
  campaignId: string,
  kind: LinkEvent,
  { link, ofGroup, reason = null, now }: { link: string; ofGroup: boolean; reason?: string | null; now: string },
): Promise<number> =>
  tx.run(sql`insert into campaign_events (campaign_id, at, kind, facts)
    values (${campaignId}, ${now}, ${kind},
      jsonb_strip_nulls(jsonb_build_object('link', ${link}::text, 'reason', ${reason}::text,
        'ofGroup', case when ${ofGroup} then true end)))`)

/** Tests whose testers still use the app. */
export const testsUnderWay = (tx: Tx, campaignId: string): Promise<{ id: string; testerId: string }[]> =>
  tx.rows(sql`select id, tester_id as "testerId" from participations
    where campaign_id = ${campaignId} and status in ('ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED') order by ordinal`)

/** People who do not use the app now but still hear about the campaign: those on its bench, and those with an open appeal. */
export const othersWithin = (tx: Tx, campaignId: string): Promise<{ id: string; testerId: string }[]> =>
  tx.rows(sql`select id, tester_id as "testerId" from participations
      where campaign_id = ${campaignId} and status = 'APPEALED' and closed_at is null
    union all select id, tester_id from bench_entries where campaign_id = ${campaignId} order by id`)
