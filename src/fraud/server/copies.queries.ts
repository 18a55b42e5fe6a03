/** Queries of the detectors of copies: proof texts and files that several testers submitted alike. */
import { sql, type Tx } from '../../kit/server/db.ts'
import { type AlikeFile, type AlikeProof, fewestBits } from '../copies.ts'
import { thresholds } from '../rules.ts'
import { ends, type Fragment, keysOfSeveral, type Step, times, within } from './steps.queries.ts'

const submitted = times(sql`proof_submitted_at`, sql`participations where proof_key is not null`)
const uploaded = times(sql`created_at`, sql`attachments where participation_id is not null`)

export const endOfProofs = ends(submitted)
export const endOfFiles = ends(uploaded)

/**
 * Where the text of the proof `p` stands in the order of submissions: `place` is the first submission known to have had it,
 * `earliest` the first that may have had it. Submissions before migration 125 do not say which text they had.
 */
export const submission = sql`
  select coalesce(min(id) filter (where facts ->> 'proofKey' = p.proof_key), max(id), 0) as place,
    coalesce(min(id) filter (where facts ->> 'proofKey' = p.proof_key or not facts ? 'proofKey'), 0) as earliest,
    coalesce(min(id), 0) as first
  from campaign_events where participation_id = p.id and kind = 'PROOF_SUBMITTED'`

/**
 * Selects from `copies` (key, id, tester_id, campaign_id, place, earliest) the first of each key, the newest, and the last one by
 * somebody who certainly came after the first, with counts of all.
 */
const firstAndNewest = (copies: Fragment) => sql`
    copies as (${copies}),
    groups as (
      select key, count(*) as copies, count(distinct tester_id) as testers, count(distinct campaign_id) as campaigns
      from copies group by key
    ),
    ordered as (
      select *, min(earliest) over (partition by key, tester_id)
        > first_value(place) over (partition by key order by place, id) as later
      from copies
    ),
    placed as (
      select *, row_number() over (partition by key order by place, id) = 1
        or row_number() over (partition by key order by place desc, id desc) <= ${thresholds.factsOfOneFinding}
        or later and row_number() over (partition by key, later order by place desc, id desc) = 1 as shown
      from ordered
    )`

/** For a row of `placed`. */
const isGone = sql`(select deleted_at is not null from users where id = placed.tester_id)`

/** Texts of proofs submitted in this step that several testers have submitted. */
export const repeatedProofs = (tx: Tx, step: Step): Promise<string[]> =>
  keysOfSeveral(
    tx,
    sql`select distinct proof_key as key from participations
      where ${within(sql`proof_submitted_at`, step)} and proof_key is not null`,
    { facts: sql`participations where proof_key = fresh.key`, who: sql`tester_id` },
  )

/**
 * Proofs with these texts, in the order in which their submissions were recorded: by the clocks of several servers, the author
 * could appear to be the copyist.
 */
export const alikeProofs = (tx: Tx, proofKeys: readonly string[]): Promise<AlikeProof[]> =>
  tx.rows(sql`
    with ${firstAndNewest(sql`
      select fresh.key, p.id, p.tester_id, p.campaign_id, submission.place, submission.earliest
      from unnest(${proofKeys}::text[]) fresh (key)
        cross join lateral (
          select id, tester_id, campaign_id, proof_key from participations where proof_key = fresh.key offset 0
        ) p
        cross join lateral (${submission}) submission`)}
    select g.key as "proofKey", g.copies as proofs, g.testers, g.campaigns, p.id as "participationId",
      p.tester_id as "testerId", c.id as "campaignId", c.title as "campaignTitle",
      p.proof_submitted_at as "submittedAt", left(p.proof_text, 500) as text, later,
      ${isGone} as gone
    from placed join groups g on g.key = placed.key
      cross join lateral (select * from participations where id = placed.id offset 0) p
      cross join lateral (select id, title from campaigns where id = placed.campaign_id offset 0) c
    where shown and g.testers > 1 order by g.key, placed.place, p.id`)

type Likeness = {
  /** The file's hash, by which there is an index. */
  hash: Fragment
  /** The position, in the order of uploads, of the uploader's first file with this hash. */
  place: Fragment
  /** Which files count. */
  counted: Fragment
  /** Which groups of files make a finding. */
  telling: Fragment
}

const likeness = ({ hash, place, counted, telling }: Likeness) => {
  const facts = sql`attachments where participation_id is not null and ${counted}`
  return {
    suspects: (tx: Tx, step: Step): Promise<string[]> =>
      keysOfSeveral(tx, sql`select distinct ${hash} as key from ${facts} and ${within(sql`created_at`, step)}`, {
        facts: sql`${facts} and ${hash} = fresh.key`,
        who: sql`uploader_id`,
        asText: sql`encode(fresh.key, 'hex')`,
      }),
    /** In the order in which the uploads were recorded. */
    facts: (tx: Tx, hashes: readonly string[]): Promise<AlikeFile[]> =>
      tx.rows(sql`
        with ${firstAndNewest(sql`
          select fresh.key, a.id, a.uploader_id as tester_id, p.campaign_id, ${place} as place, ${place} as earliest, a.sha256, a.created_at
          from unnest(${hashes}::text[]) fresh (key)
            cross join lateral (select * from ${facts} and ${hash} = decode(fresh.key, 'hex') offset 0) a
            cross join lateral (select campaign_id from participations where id = a.participation_id offset 0) p`)},
        telling as (select key from copies group by key having count(distinct tester_id) > 1 and ${telling})
        select g.key, g.copies as files, g.testers, g.campaigns, placed.id as "attachmentId",
          placed.tester_id as "testerId", c.id as "campaignId", c.title as "campaignTitle",
          placed.created_at as "attachedAt", ${isGone} as gone
        from placed join groups g on g.key = placed.key
          cross join lateral (select id, title from campaigns where id = placed.campaign_id offset 0) c
        where shown and g.key in (select key from telling) order by g.key, placed.place`),
  }
}

/**
 * Identical files, whatever they were attached to, except in the thread of a bug, where files are shown rather than submitted.
 */
export const sameFiles = likeness({
  hash: sql`sha256`,
  place: sql`coalesce(first_seq, seq)`,
  counted: sql`kind <> 'BUG'`,
  telling: sql`true`,
})

/**
 * Different files that look the same. Testers of one campaign photograph the same screens, and everybody who opts in the same
 * page of Play, so only pictures of check-ins and proofs count, and only from several campaigns.
 */
export const sameLooks = likeness({
  hash: sql`look_hash`,
  place: sql`coalesce(first_look_seq, seq)`,
  counted: sql`look_hash is not null and kind not in ('OPT_IN', 'BUG') and bit_count(look_hash) >= ${fewestBits}`,
  telling: sql`count(distinct campaign_id) > 1 and count(distinct sha256) > 1`,
})
