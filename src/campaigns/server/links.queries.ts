import { sql, type Tx } from '../../kit/server/db.ts'

export const setPendingLink = (tx: Tx, id: string, link: string | null, now: string): Promise<number> =>
  tx.run(sql`update campaigns set pending_link = ${link}, link_requested_at = ${now},
    link_request = nextval('campaign_link_requests') where id = ${id}`)

export const adoptPendingLink = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`update campaigns set distribution_link = pending_link, pending_link = null where id = ${id}`)

export const clearPendingLink = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`update campaigns set pending_link = null where id = ${id}`)

type LinkEvent = 'LINK_REQUESTED' | 'LINK_WITHDRAWN' | 'LINK_APPROVED' | 'LINK_REJECTED'

export const insertLinkEvent = (
  tx: Tx,
  campaignId: string,
  kind: LinkEvent,
  { link, reason = null, now }: { link: string; reason?: string | null; now: string },
): Promise<number> =>
  tx.run(sql`insert into campaign_events (campaign_id, at, kind, facts)
    values (${campaignId}, ${now}, ${kind},
      jsonb_strip_nulls(jsonb_build_object('link', ${link}::text, 'reason', ${reason}::text)))`)

/** Whose testers still use the app. */
export const testsUnderWay = (tx: Tx, campaignId: string): Promise<{ id: string; testerId: string }[]> =>
  tx.rows(sql`select id, tester_id as "testerId" from participations
    where campaign_id = ${campaignId} and status in ('ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED') order by ordinal`)
