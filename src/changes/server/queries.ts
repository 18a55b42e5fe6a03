import type { SignedIn } from '../../kit/endpoint.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { canTestAgain } from '../../bugs/server/bugs.ts'
import type { BugStatus, RetestResult } from '../../bugs/terms.ts'

export type VersionRow = { id: string; version: string; publishedAt: string }

/** Newest first; only one version if `id` is given. */
export const versionsOf = (tx: Tx, campaignId: string, id: string | null = null): Promise<VersionRow[]> =>
  tx.rows(sql`select id, version, published_at as "publishedAt" from versions
    where campaign_id = ${campaignId} ${id === null ? empty : sql`and id = ${id}`} order by id desc`)

export type ChangeRow = { id: string; versionId: string; text: string }

export const changesOf = (tx: Tx, versionIds: readonly string[]): Promise<ChangeRow[]> =>
  tx.rows(sql`select id, version_id as "versionId", text from changes where version_id = any(${versionIds})
    order by version_id, position`)

export type AnswerRow = {
  changeId: string
  id: string
  number: number
  title: string
  status: BugStatus
  fixedIn: string | null
  testerId: string
}

export const answersOf = (tx: Tx, changeIds: readonly string[]): Promise<AnswerRow[]> =>
  tx.rows(sql`select a.change_id as "changeId", b.id, b.number, b.title, b.status, b.fixed_in as "fixedIn",
      p.tester_id as "testerId"
    from change_answers a join bugs b on b.id = a.bug_id join participations p on p.id = b.participation_id
    where a.change_id = any(${changeIds}) order by b.number`)

export type ReporterRow = {
  changeId: string
  answeredId: string
  bugId: string
  ordinal: number
  testerId: string
  result: RetestResult | null
  open: boolean
}

/** Testers who were asked about this version, for the bug or a duplicate of it, including withdrawn questions. */
export const reportersOf = (tx: Tx, changeIds: readonly string[]): Promise<ReporterRow[]> =>
  tx.rows(sql`
    with answered as (
      select c.id as change_id, a.bug_id, v.version
      from changes c join versions v on v.id = c.version_id join change_answers a on a.change_id = c.id
      where c.id = any(${changeIds})
    ), reported as (
      select change_id, bug_id as answered_id, bug_id, version from answered
      union all
      select d.change_id, d.bug_id, b.id, d.version from answered d join bugs b on b.duplicate_of = d.bug_id
    )
    select r.change_id as "changeId", r.answered_id as "answeredId", b.id as "bugId", p.ordinal, p.tester_id as "testerId",
      t.result, t.result is null and t.withdrawn_at is null and ${canTestAgain} as open
    from reported r join bugs b on b.id = r.bug_id join participations p on p.id = b.participation_id
      join lateral (select result, withdrawn_at from bug_retests
        where bug_id = b.id and lower(version) = lower(r.version) order by id desc limit 1) t on true
    order by b.number`)

/** The owner's campaign. Locks it, so that decisions on its bugs and versions wait for each other. */
export const ownCampaign = (tx: Tx, owner: SignedIn, id: string): Promise<{ id: string; title: string }> =>
  tx.one(
    sql`select id, title from campaigns where id = ${id} and developer_id = ${owner.id} for no key update`,
    'Campaign',
  )

export const versionNamed = (tx: Tx, campaignId: string, version: string): Promise<VersionRow | undefined> =>
  tx.maybe(sql`select id, version, published_at as "publishedAt" from versions
    where campaign_id = ${campaignId} and lower(version) = lower(${version})`)

export const countVersions = (tx: Tx, campaignId: string): Promise<number> =>
  tx.value(sql`select count(*) from versions where campaign_id = ${campaignId}`)

export const countChanges = (tx: Tx, versionId: string): Promise<number> =>
  tx.value(sql`select count(*) from changes where version_id = ${versionId}`)

export const insertVersion = (tx: Tx, v: VersionRow & { campaignId: string }): Promise<number> =>
  tx.run(sql`insert into versions (id, campaign_id, version, published_at)
    values (${v.id}, ${v.campaignId}, ${v.version}, ${v.publishedAt})`)

export type NewChange = { id: string; position: number; text: string; bugIds: readonly string[] }

export const insertChanges = async (tx: Tx, versionId: string, changes: readonly NewChange[]): Promise<void> => {
  await tx.run(sql`insert into changes (id, version_id, position, text)
    select id, ${versionId}, position, text from unnest(${changes.map(({ id }) => id)}::uuid[],
      ${changes.map(({ position }) => position)}::int[], ${changes.map(({ text }) => text)}::text[]) c (id, position, text)`)
  const answers = changes.flatMap(({ id, bugIds }) => bugIds.map(bugId => ({ id, bugId })))
  await tx.run(sql`insert into change_answers (change_id, bug_id)
    select * from unnest(${answers.map(({ id }) => id)}::uuid[], ${answers.map(({ bugId }) => bugId)}::uuid[])`)
}

/** The bugs among these that the version answers already. */
export const answeredIn = async (tx: Tx, versionId: string, bugIds: readonly string[]): Promise<Set<string>> => {
  const rows = await tx.rows<{
    id: string
  }>(sql`select a.bug_id as id from changes c join change_answers a on a.change_id = c.id
    where c.version_id = ${versionId} and a.bug_id = any(${bugIds}::uuid[])`)
  return new Set(rows.map(({ id }) => id))
}

/** Only in the owner's campaign; returns the place of the change. */
export const setText = (
  tx: Tx,
  owner: SignedIn,
  changeId: string,
  text: string,
): Promise<{ versionId: string; campaignId: string }> =>
  tx.one(
    sql`update changes set text = ${text} from versions v join campaigns c on c.id = v.campaign_id
      where changes.id = ${changeId} and v.id = changes.version_id and c.developer_id = ${owner.id}
      returning v.id as "versionId", v.campaign_id as "campaignId"`,
    'Change',
  )
