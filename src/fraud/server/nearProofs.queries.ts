/** Queries of the detector of nearly equal texts: marks of texts, whose they are, and the texts that share one. */
import { sql, type Tx } from '../../kit/server/db.ts'
import { comparedLength, type Pair, type ProofText } from '../nearProofs.ts'
import { thresholds } from '../rules.ts'
import { submission } from './copies.queries.ts'
import { keys, type Step, within } from './steps.queries.ts'

export type Submitted = { participationId: string; testerId: string; text: string }

/** The texts that were submitted in this step. */
export const submittedTexts = (tx: Tx, step: Step): Promise<Submitted[]> =>
  tx.rows(sql`select id as "participationId", tester_id as "testerId", left(proof_text, ${comparedLength}) as text
    from participations where ${within(sql`proof_submitted_at`, step)} and proof_key is not null`)

export type Marked = { participationId: string; testerId: string; marks: readonly number[] }

/** Replaces the marks of earlier texts by those of the current ones. */
export const keepMarks = (tx: Tx, texts: readonly Marked[]): Promise<number> => {
  const given = texts.flatMap(({ marks, ...whose }) => marks.map(mark => ({ mark, ...whose })))
  return tx.run(sql`
    with given as (
      select * from unnest(${given.map(({ mark }) => mark)}::bigint[], ${given.map(({ testerId }) => testerId)}::uuid[],
        ${given.map(({ participationId }) => participationId)}::uuid[]) as given (mark, tester_id, participation_id)
    ), gone as (
      delete from proof_marks m where participation_id = any(${texts.map(({ participationId }) => participationId)}::uuid[])
        and not exists (select from given g where g.participation_id = m.participation_id and g.mark = m.mark)
    )
    insert into proof_marks (mark, tester_id, participation_id) select * from given on conflict do nothing`)
}

/** Pairs each of these tests with the first ones of other testers that share one of its marks. */
export const pairsOf = (tx: Tx, participationIds: readonly string[]): Promise<Pair[]> =>
  tx.rows(sql`
    select fresh.id as one, near.id as other from unnest(${participationIds}::uuid[]) fresh (id)
      cross join lateral (
        select distinct o.participation_id as id
        from (select * from proof_marks where participation_id = fresh.id offset 0) own
          cross join lateral (select participation_id from proof_marks where mark = own.mark and tester_id <> own.tester_id
            order by participation_id limit ${thresholds.factsOfOneFinding}) o
        order by o.participation_id limit ${thresholds.factsOfOneFinding}
      ) near`)

/** Those of these tests that share a mark with another tester's. */
export const sharingMarks = (tx: Tx, participationIds: readonly string[]): Promise<string[]> =>
  keys(
    tx.rows(sql`
      select fresh.id as key from unnest(${participationIds}::uuid[]) fresh (id) where exists (
        select from proof_marks own where own.participation_id = fresh.id
          and ((select tester_id from proof_marks where mark = own.mark order by tester_id limit 1) <> own.tester_id
            or (select tester_id from proof_marks where mark = own.mark order by tester_id desc limit 1) <> own.tester_id))`),
  )

/** The texts of these tests, each with its position among all submissions. */
export const textsOf = (tx: Tx, participationIds: readonly string[]): Promise<ProofText[]> =>
  tx.rows(sql`
    select p.id as "participationId", p.tester_id as "testerId", p.campaign_id as "campaignId",
      c.title as "campaignTitle", p.proof_submitted_at as "submittedAt", submission.place, submission.first,
      p.proof_key as "proofKey", left(p.proof_text, ${comparedLength}) as text,
      (select deleted_at is not null from users where id = p.tester_id) as gone
    from unnest(${participationIds}::uuid[]) asked (id)
      cross join lateral (select * from participations where id = asked.id and proof_key is not null offset 0) p
      cross join lateral (select title from campaigns where id = p.campaign_id offset 0) c
      cross join lateral (${submission}) submission`)

/** All tests of these testers that have a text. */
export const testsOf = (tx: Tx, testerIds: readonly string[]): Promise<string[]> =>
  keys(
    tx.rows(sql`select p.id as key from unnest(${testerIds}::uuid[]) asked (id)
      cross join lateral (
        select id from participations where tester_id = asked.id and proof_key is not null offset 0
      ) p`),
  )
