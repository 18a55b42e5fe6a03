/** SQL that loads bugs as far as the caller may see them; deciding.queries.ts writes decisions. */
import type { SignedIn } from '../../kit/endpoint.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { fixedRowLimit, rowLimit } from '../../kit/server/rowLimits.ts'
import { containing } from '../../kit/server/like.ts'
import { instantText } from '../../kit/server/json.ts'
import type { Platform } from '../../campaigns/contract.ts'
import type { Role } from '../../kit/roles.ts'
import type { BugQuery, NewBug, SimilarQuery } from '../contract.ts'
import type { InCampaign, ReportingTest, Written } from '../rules.ts'
import { type BugEventKind, type BugSeverity, type BugStatus, mostSimilar, type RetestResult } from '../terms.ts'

export type Original = {
  id: string
  number: number
  title: string
  status: BugStatus
  fixedIn: string | null
  testerId: string
}

type RetestRow = {
  version: string
  askedAt: string
  result: RetestResult | null
  answeredAt: string | null
  withdrawnAt: string | null
}

export type BugRow = {
  id: string
  campaignId: string
  campaignTitle: string
  developerId: string
  testId: string
  testerId: string
  ordinal: number
  number: number
  title: string
  severity: BugSeverity
  steps: string
  expected: string
  actual: string
  appVersion: string | null
  status: BugStatus
  fixedIn: string | null
  comments: number
  reportedAt: string
  changedAt: string
  devicePlatform: Platform | null
  deviceOsVersion: string | null
  deviceModel: string
  deviceManufacturer: string | null
  original: Original | null
  retest: RetestRow | null
  canTestAgain: boolean
  /** What its tester may see. */
  door: InCampaign
}

/** The fields that isOutside needs. Of the test's end, it needs only whether there is one. */
export const doorAsJson = sql`json_build_object('status', p.status, 'isClosed', p.closed_at is not null,
  'campaignClosedAt', ${instantText(sql`c.closed_at`)}, 'ndaVersion', c.nda_version, 'ndaAccepted', p.nda_accepted)`

/** Whether the test's tester still has the app and can answer. Testers who have left or are suspended cannot. */
export const canTestAgain = sql`(p.closed_at is null or p.status = 'VERIFIED') and exists (select from users s
  where s.id = p.tester_id and s.suspended_at is null and s.deleted_at is null)`

const columns = sql`b.id, b.campaign_id as "campaignId", c.title as "campaignTitle", c.developer_id as "developerId",
  b.participation_id as "testId", p.tester_id as "testerId", p.ordinal, b.number, b.title, b.severity, b.steps, b.expected,
  b.actual, b.app_version as "appVersion", b.status, b.fixed_in as "fixedIn", b.comments, b.reported_at as "reportedAt",
  b.changed_at as "changedAt", p.device_platform as "devicePlatform", p.device_os_version as "deviceOsVersion",
  p.device_model as "deviceModel", p.device_manufacturer as "deviceManufacturer",
  (select json_build_object('id', o.id, 'number', o.number, 'title', o.title, 'status', o.status, 'fixedIn', o.fixed_in,
      'testerId', t.tester_id)
    from bugs o join participations t on t.id = o.participation_id where o.id = b.duplicate_of) as original,
  (select json_build_object('version', r.version, 'askedAt', ${instantText(sql`r.asked_at`)}, 'result', r.result,
      'answeredAt', ${instantText(sql`r.answered_at`)}, 'withdrawnAt', ${instantText(sql`r.withdrawn_at`)})
    from bug_retests r where r.bug_id = b.id order by r.id desc limit 1) as retest, ${canTestAgain} as "canTestAgain", ${doorAsJson} as door`

const tables = sql`bugs b join participations p on p.id = b.participation_id join campaigns c on c.id = b.campaign_id`

/** A tester sees their own bugs, the owner those of the campaign, and an admin all. */
const visibleTo = (user: SignedIn) => {
  if (user.role === 'ADMIN') return sql`true`
  return user.role === 'DEVELOPER' ? sql`c.developer_id = ${user.id}` : sql`p.tester_id = ${user.id}`
}

export const bugFor = (tx: Tx, user: SignedIn, id: string): Promise<BugRow> =>
  tx.one(sql`select ${columns} from ${tables} where b.id = ${id} and ${visibleTo(user)}`, 'Bug')

export const bugsAmong = (tx: Tx, user: SignedIn, campaignId: string, ids: readonly string[]): Promise<BugRow[]> =>
  tx.rows(
    sql`select ${columns} from ${tables} where b.id = any(${ids}) and b.campaign_id = ${campaignId} and ${visibleTo(user)}`,
  )

/** "#12" finds the bug with this number, besides titles that match. */
const matching = (words: string) => {
  const number = /^#?(\d{1,6})$/.exec(words)?.[1]
  const inTitle = sql`b.title ilike ${containing(words)}`
  return number === undefined ? sql`and ${inTitle}` : sql`and (${inTitle} or b.number = ${Number(number)})`
}

const originalsFor = (id: string | undefined) =>
  id === undefined ? empty : sql`and b.id <> ${id} and b.status <> 'DUPLICATE'`

/** Newest first. */
export const bugsOf = (
  tx: Tx,
  user: SignedIn,
  campaignId: string,
  { originalsFor: duplicate, status, severity, search, limit, cursor }: BugQuery,
): Promise<BugRow[]> =>
  tx.rows(sql`select ${columns} from ${tables}
    where b.campaign_id = ${campaignId} and ${visibleTo(user)} ${status ? sql`and b.status = ${status}` : empty}
      ${severity ? sql`and b.severity = ${severity}` : empty} ${search ? matching(search) : empty} ${originalsFor(duplicate)}
      ${cursor ? sql`and b.number < (select number from bugs where id = ${cursor})` : empty}
    order by b.number desc limit ${rowLimit(limit + 1)}`)

/** The next bugs by number, for files. */
export const bugsAfter = (
  tx: Tx,
  user: SignedIn,
  campaignId: string,
  { number, limit }: { number: number; limit: number },
): Promise<BugRow[]> =>
  tx.rows(sql`select ${columns} from ${tables}
    where b.campaign_id = ${campaignId} and ${visibleTo(user)} and b.number > ${number}
    order by b.number limit ${limit}`)

export type KnownRow = Omit<Original, 'testerId'> & { own: boolean }

const known = (userId: string) =>
  sql`b.id, b.number, b.title, b.status, b.fixed_in as "fixedIn", p.tester_id = ${userId} as own`

/** Titles that share many trigrams with this one, or contain something similar. */
export const similarBugs = (
  tx: Tx,
  userId: string,
  campaignId: string,
  { title, originalsFor: duplicate }: SimilarQuery,
): Promise<KnownRow[]> =>
  tx.rows(sql`select ${known(userId)} from ${tables},
      lateral (select greatest(similarity(lower(b.title), lower(${title})),
        word_similarity(lower(${title}), lower(b.title)) * 0.8) as likeness) l
    where b.campaign_id = ${campaignId} and l.likeness >= 0.3 ${originalsFor(duplicate)}
    order by l.likeness desc, b.number limit ${fixedRowLimit(mostSimilar)}`)

export const duplicatesOf = (tx: Tx, userId: string, id: string): Promise<KnownRow[]> =>
  tx.rows(sql`select ${known(userId)} from ${tables} where b.duplicate_of = ${id} order by b.number`)

const door = sql`p.status, p.closed_at is not null as "isClosed", c.closed_at as "campaignClosedAt", c.nda_version as "ndaVersion", p.nda_accepted as "ndaAccepted"`

/** For the seat that the tester has, or had, in this campaign. */
export const doorOf = (tx: Tx, testerId: string, campaignId: string): Promise<InCampaign> =>
  tx.one(
    sql`select ${door} from participations p join campaigns c on c.id = p.campaign_id
      where p.campaign_id = ${campaignId} and p.tester_id = ${testerId}`,
    'Campaign',
  )

export type EventRow = {
  id: number
  at: string
  kind: BugEventKind
  role: Role
  authorId: string
  /** The ordinal of a tester's test in this campaign; null for other roles. */
  ordinal: number | null
  text: string | null
  duplicateOf: number | null
  version: string | null
  severity: BugSeverity | null
}

export const eventsOf = (tx: Tx, bugId: string): Promise<EventRow[]> =>
  tx.rows(sql`select e.id, e.at, e.kind, e.role, e.author_id as "authorId", p.ordinal, e.text,
      e.duplicate_of as "duplicateOf", e.version, e.severity
    from bug_events e join bugs b on b.id = e.bug_id
      left join participations p on p.campaign_id = b.campaign_id and p.tester_id = e.author_id
    where e.bug_id = ${bugId} order by e.id`)

export type TestRow = ReportingTest & {
  id: string
  ordinal: number
  developerId: string
  campaignTitle: string
}

/** Locks the campaign and then the test, in the usual order, and counts the test's reports. */
export const lockTestOf = async (tx: Tx, testerId: string, campaignId: string, since: string): Promise<TestRow> => {
  const test = await tx.one<Omit<TestRow, 'bugs' | 'bugsToday'>>(
    sql`
    with c as materialized (select * from campaigns where id = ${campaignId} for key share)
    select p.id, p.ordinal, ${door}, c.developer_id as "developerId", c.title as "campaignTitle"
    from participations p join c on c.id = p.campaign_id where p.tester_id = ${testerId} for no key update of p`,
    'Test',
  )
  const counts = await tx.one<Pick<ReportingTest, 'bugs' | 'bugsToday'>>(
    sql`select count(*) as bugs, count(*) filter (where reported_at > ${since}) as "bugsToday" from bugs
      where participation_id = ${test.id}`,
    'Bugs',
  )
  return { ...test, ...counts }
}

/** Locked until the commit, so that numbers have no gaps. */
export const nextNumber = (tx: Tx, campaignId: string): Promise<number> =>
  tx.value(sql`insert into bug_numbers (campaign_id, last) values (${campaignId}, 1)
    on conflict (campaign_id) do update set last = bug_numbers.last + 1 returning last`)

type Row = Omit<NewBug, 'attachmentIds'> & {
  id: string
  campaignId: string
  participationId: string
  number: number
  now: string
}

export const insertBug = (tx: Tx, bug: Row): Promise<number> =>
  tx.run(sql`insert into bugs (id, campaign_id, number, participation_id, title, severity, steps, expected, actual,
      app_version, reported_at, changed_at)
    values (${bug.id}, ${bug.campaignId}, ${bug.number}, ${bug.participationId}, ${bug.title}, ${bug.severity}, ${bug.steps},
      ${bug.expected ?? ''}, ${bug.actual}, ${bug.appVersion || null}, ${bug.now}, ${bug.now})`)

/** Concurrent entries of one author wait for each other, so that each is counted. */
export const lockAuthor = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`select from users where id = ${id} for no key update`)

export const writtenSince = (tx: Tx, authorId: string, since: string): Promise<Written> =>
  tx.one(
    sql`select count(*) filter (where kind = 'COMMENTED') as comments, count(*) as entries from bug_events
      where author_id = ${authorId} and at > ${since}`,
    'Entries',
  )

/** Retest results do not count as decisions. */
export const countDecisions = (tx: Tx, bugId: string): Promise<number> =>
  tx.value(sql`select count(*) from bug_events where bug_id = ${bugId} and role = 'DEVELOPER' and kind <> 'COMMENTED'`)

export type NewEvent = {
  bugId: string
  by: Pick<SignedIn, 'id' | 'role'>
  now: string
  kind: BugEventKind
  text?: string | null | undefined
  duplicateOf?: number
  version?: string
  severity?: BugSeverity
}

/** Adds the same entry to the threads of several bugs. */
export const insertEvents = (tx: Tx, bugIds: readonly string[], event: Omit<NewEvent, 'bugId'>): Promise<number> =>
  tx.run(sql`insert into bug_events (bug_id, at, author_id, role, kind, text, duplicate_of, version, severity)
    select id, ${event.now}, ${event.by.id}, ${event.by.role}, ${event.kind}, ${event.text || null},
      ${event.duplicateOf ?? null}, ${event.version ?? null}, ${event.severity ?? null} from unnest(${bugIds}::uuid[]) id`)

export const insertEvent = (tx: Tx, event: NewEvent): Promise<number> =>
  tx.value(sql`insert into bug_events (bug_id, at, author_id, role, kind, text, duplicate_of, version, severity)
    values (${event.bugId}, ${event.now}, ${event.by.id}, ${event.by.role}, ${event.kind}, ${event.text || null},
      ${event.duplicateOf ?? null}, ${event.version ?? null}, ${event.severity ?? null}) returning id`)
