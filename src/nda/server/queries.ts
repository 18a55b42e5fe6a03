/** SQL for NDAs. Callers check beforehand that the user may see the campaign. */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { rowLimit } from '../../kit/server/rowLimits.ts'
import type { CampaignStatus } from '../../campaigns/contract.ts'
import type { Nda } from '../contract.ts'
import type { NdaSituation } from '../rules.ts'

export type CampaignRow = {
  id: string
  title: string
  status: CampaignStatus
  developerId: string
  developerName: string
  version: number | null
  text: string | null
  setAt: string | null
}

const campaign = sql`select c.id, c.title, c.status, c.developer_id as "developerId", d.name as "developerName",
    c.nda_version as version, n.text, n.set_at as "setAt"
  from campaigns c join users d on d.id = c.developer_id
    left join nda_texts n on n.campaign_id = c.id and n.version = c.nda_version`

export const campaignOf = (tx: Tx, id: string): Promise<CampaignRow> =>
  tx.one(sql`${campaign} where c.id = ${id}`, 'Campaign')

/**
 * The owner's own campaign. Locks it, so that nobody joins, accepts or ends a test meanwhile. It is read only after the lock: a
 * single statement that waits for the lock would join the text of the previous version.
 */
export const lockCampaignOf = async (tx: Tx, ownerId: string, id: string): Promise<CampaignRow> => {
  const own = sql`c.id = ${id} and c.developer_id = ${ownerId}`
  const [, row] = await Promise.all([
    tx.run(sql`select from campaigns c where ${own} for update`),
    tx.one<CampaignRow>(sql`${campaign} where ${own}`, 'Campaign'),
  ])
  return row
}

export const acceptedBy = (tx: Tx, testerId: string, campaignId: string): Promise<Nda['accepted'] | undefined> =>
  tx.maybe(sql`select a.version, n.text, n.set_at as "setAt", a.name, a.ip, a.accepted_at as "acceptedAt"
    from participations p join nda_acceptances a on a.participation_id = p.id and a.version = p.nda_accepted
      join nda_texts n on n.campaign_id = a.campaign_id and n.version = a.version
    where p.campaign_id = ${campaignId} and p.tester_id = ${testerId}`)

export const versionsOf = (tx: Tx, campaignId: string): Promise<Nda['versions']> =>
  tx.rows(sql`select version, set_at as "setAt" from nda_texts where campaign_id = ${campaignId} order by version desc`)

export const versionOf = (
  tx: Tx,
  campaignId: string,
  version: number | undefined,
): Promise<{ version: number; text: string; setAt: string }> =>
  tx.one(
    sql`select version, text, set_at as "setAt" from nda_texts where campaign_id = ${campaignId} 
      and version = coalesce(${version ?? null}::int, (select nda_version from campaigns where id = ${campaignId}))`,
    'Version',
  )

/** A number is never reused, because an acceptance refers to its text for good. */
export const insertVersion = async (tx: Tx, campaignId: string, text: string, now: string): Promise<void> => {
  await tx.run(sql`
    with made as (
      insert into nda_texts (campaign_id, version, text, set_at)
      select ${campaignId}, coalesce(max(version), 0) + 1, ${text}, ${now} from nda_texts where campaign_id = ${campaignId}
      returning version
    )
    update campaigns set nda_version = made.version from made where id = ${campaignId}`)
}

/**
 * Tests that waited for the NDA begin now, as if it had been accepted, and testers waiting to be listed may be added. The sweep
 * finds their next deadlines.
 */
export const removeNda = (tx: Tx, campaignId: string, now: string): Promise<number> =>
  tx.run(sql`
    with begun as (
      update participations p set nda_joined = null, nda_lifted_at = ${now}, last_seen_at = ${now}, at_risk = false,
        proof_warned = false, wake_at = ${now}, proof_allowed_at =
          case when c.access_mode = 'OPEN_LINK' then ${now}::timestamptz + c.duration_days * interval '24 hours' end
      from campaigns c
      where c.id = ${campaignId} and p.campaign_id = c.id and p.nda_joined is not null and p.nda_accepted is null
        and p.closed_at is null
      returning p.proof_allowed_at
    ), waiting as (
      update participations set wake_at = ${now}
      where campaign_id = ${campaignId} and status = 'ACTIVE' and nda_joined is null and nda_accepted is null
    )
    update campaigns set nda_version = null, end_date = greatest(end_date, (select max(proof_allowed_at) from begun))
      where id = ${campaignId}`)

export type Inside = Pick<NdaSituation, 'ndaJoined' | 'ndaAccepted'> & {
  id: string
  testerId: string
  dropHours: number
}

export const testsInside = (tx: Tx, campaignId: string): Promise<Inside[]> =>
  tx.rows(sql`select p.id, p.tester_id as "testerId", p.nda_joined as "ndaJoined", p.nda_accepted as "ndaAccepted",
      c.drop_hours as "dropHours"
    from participations p join campaigns c on c.id = p.campaign_id
    where p.campaign_id = ${campaignId} and p.status in ('ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED') order by p.ordinal`)

export type AcceptanceRow = {
  id: number
  ordinal: number
  version: number
  acceptedAt: string
  name: string
  ip: string
}

const acceptance = sql`select a.id, p.ordinal, a.version, a.accepted_at as "acceptedAt", a.name, a.ip
  from nda_acceptances a join participations p on p.id = a.participation_id`

/** Newest first, and one more than the limit. */
export const acceptances = (
  tx: Tx,
  campaignId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<AcceptanceRow[]> =>
  tx.rows(sql`${acceptance} where a.campaign_id = ${campaignId} ${cursor ? sql`and a.id < ${cursor}` : empty}
    order by a.id desc limit ${rowLimit(limit + 1)}`)

/** Sorted by when they were given. */
export const allAcceptances = (tx: Tx, campaignId: string): Promise<AcceptanceRow[]> =>
  tx.rows(sql`${acceptance} where a.campaign_id = ${campaignId} order by a.id`)

export type NewAcceptance = {
  campaignId: string
  version: number
  participationId: string
  testerId: string
  name: string
  ip: string
  now: string
}

export const insertAcceptance = (tx: Tx, given: NewAcceptance): Promise<number> =>
  tx.run(sql`insert into nda_acceptances (campaign_id, version, participation_id, tester_id, name, ip, accepted_at)
    values (${given.campaignId}, ${given.version}, ${given.participationId}, ${given.testerId}, ${given.name}, ${given.ip},
      ${given.now})`)
