import type { SignedIn } from '../../kit/endpoint.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import type { LastExport, ListedCampaign, Member } from '../rules.ts'

export type CampaignRow = ListedCampaign & { id: string; title: string; developerId: string }

const columns = sql`id, title, developer_id as "developerId", access_mode as "accessMode", start_date as "startDate",
  closed_at as "closedAt", applied_at as "appliedAt", addresses_erased_at as "erasedAt"`

/** The owner's own campaign; any other is not found. */
export const campaignOf = (tx: Tx, owner: SignedIn, id: string): Promise<CampaignRow> =>
  tx.one(sql`select ${columns} from campaigns where id = ${id} and developer_id = ${owner.id}`, 'Campaign')

/** Keeps others from joining, leaving or reviewing meanwhile, so that an export says exactly what is read after it. */
export const lockCampaignOf = (tx: Tx, owner: SignedIn, id: string): Promise<CampaignRow> =>
  tx.one(sql`select ${columns} from campaigns where id = ${id} and developer_id = ${owner.id} for update`, 'Campaign')

export const membersOf = (tx: Tx, campaignId: string): Promise<Member[]> =>
  tx.rows(sql`
    select p.id, p.ordinal, p.status, p.closed_at is null as open,
      exists (select from opt_in_runs r where r.participation_id = p.id and r.ended_at is null) as "optedIn",
      p.listed_at is not null and p.unlisted_at is null as listed, a.sealed is null as erased,
      case when p.listed_at is null then p.no_access_problem end as "notLetIn",
      coalesce(said.last = 'ADD', false) as exported,
      c.nda_version is not null and p.nda_accepted is null
        and not (p.status = 'VERIFIED' and c.closed_at is not null) as "ndaAwaited"
    from participations p join campaigns c on c.id = p.campaign_id
      left join play_addresses a on a.participation_id = p.id
      left join (
        select c.participation_id, (array_agg(c.change order by e.id desc))[1] as last
        from tester_list_exports e join tester_list_changes c on c.export_id = e.id
        where e.campaign_id = ${campaignId} and (c.change = 'ADD' or e.confirmed_at is not null)
        group by c.participation_id
      ) said on said.participation_id = p.id
    where p.campaign_id = ${campaignId} order by p.ordinal`)

type LastingTest = Pick<Member, 'id' | 'ordinal' | 'status' | 'open'> & { campaign: CampaignRow; contested: boolean }

/** The tester's tests with a run that continues, in campaigns with a list whose owner still has an account. */
export const lastingTestsOf = async (tx: Tx, testerId: string): Promise<LastingTest[]> => {
  const rows = await tx.rows<Omit<LastingTest, 'campaign'> & { campaignId: string }>(sql`
    select p.id, p.ordinal, p.status, p.closed_at is null as open, p.campaign_id as "campaignId",
      r.contested_at is not null and r.contest_ended_at is null as contested
    from participations p join campaigns c on c.id = p.campaign_id join users d on d.id = c.developer_id
      join opt_in_runs r on r.participation_id = p.id and r.ended_at is null
    where p.tester_id = ${testerId} and c.access_mode <> 'OPEN_LINK' and d.deleted_at is null order by p.id`)
  const campaigns = await tx.rows<CampaignRow>(
    sql`select ${columns} from campaigns where id = any(${rows.map(({ campaignId }) => campaignId)})`,
  )
  return rows.map(({ campaignId, ...row }) => ({ ...row, campaign: campaigns.find(({ id }) => id === campaignId)! }))
}

export type ExportRow = LastExport & { id: number; exportedAt: string }

const idsOf = (change: 'ADD' | 'REMOVE') => sql`array(select participation_id from tester_list_changes
  where export_id = e.id and change = ${change})`

export const lastExport = async (tx: Tx, campaignId: string): Promise<ExportRow | null> =>
  (await tx.maybe<ExportRow>(sql`
    select e.id, e.exported_at as "exportedAt", e.confirmed_at as "confirmedAt", ${idsOf('ADD')} as added,
      ${idsOf('REMOVE')} as removed
    from tester_list_exports e where e.campaign_id = ${campaignId} order by e.id desc limit 1`)) ?? null

type NewExport = { campaignId: string; by: string; now: string; added: readonly string[]; removed: readonly string[] }

/** Records the export and its event. */
export const insertExport = (tx: Tx, { campaignId, by, now, added, removed }: NewExport): Promise<number> =>
  tx.run(sql`
    with made as (
      insert into tester_list_exports (campaign_id, exported_at, exported_by) values (${campaignId}, ${now}, ${by})
      returning id
    ), changes as (
      insert into tester_list_changes (export_id, participation_id, change)
      select made.id, changed.id, changed.change from made, (
        select unnest(${added}::uuid[]) as id, 'ADD' as change union all select unnest(${removed}::uuid[]), 'REMOVE'
      ) changed
    )
    insert into campaign_events (campaign_id, at, kind) values (${campaignId}, ${now}, 'LIST_EXPORTED')`)

/**
 * Records the confirmation and its events: one for the campaign, which says who came off the list, and one for each tester who is
 * on it now.
 */
export const confirmExport = (tx: Tx, exportId: number, campaignId: string, now: string): Promise<number> =>
  tx.run(sql`
    with confirmed as (
      update tester_list_exports set confirmed_at = ${now} where id = ${exportId}
    )
    insert into campaign_events (campaign_id, participation_id, at, kind, facts)
    select ${campaignId}::uuid, null, ${now}::timestamptz, 'LIST_CONFIRMED',
      jsonb_build_object('removed', array(select p.ordinal from tester_list_changes c
        join participations p on p.id = c.participation_id where c.export_id = ${exportId} and c.change = 'REMOVE' order by p.ordinal))
    union all (
      select ${campaignId}, p.id, ${now}, 'TESTER_LISTED', jsonb_build_object('ordinal', p.ordinal)
      from tester_list_changes c join participations p on p.id = c.participation_id
      where c.export_id = ${exportId} and c.change = 'ADD' order by p.ordinal
    )`)

/** Records the application and its event. */
export const setApplied = (tx: Tx, campaignId: string, now: string): Promise<number> =>
  tx.run(sql`
    with applied as (update campaigns set applied_at = ${now} where id = ${campaignId})
    insert into campaign_events (campaign_id, at, kind) values (${campaignId}, ${now}, 'APPLIED')`)

/** Verified testers who stayed for this: their run continues. */
export const stayingOf = (tx: Tx, campaignId: string): Promise<{ id: string; testerId: string }[]> =>
  tx.rows(sql`select id, tester_id as "testerId" from participations p
    where campaign_id = ${campaignId} and status = 'VERIFIED'
      and exists (select from opt_in_runs where participation_id = p.id and ended_at is null) order by ordinal`)
