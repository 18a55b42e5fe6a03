/** SQL of accepting an NDA. */
import { sql, type Tx } from '../../kit/server/db.ts'
import type { Situation } from '../situation.ts'

export const testIn = async (tx: Tx, testerId: string, campaignId: string): Promise<string | null> =>
  (
    await tx.maybe<{ id: string }>(
      sql`select id from participations where campaign_id = ${campaignId} and tester_id = ${testerId}`,
    )
  )?.id ?? null

type Accepted = Situation & { id: string; campaignId: string; wakeAt: string | null }

/** Moves the end of the campaign, never backwards, and not that of a campaign that is over. */
export const setAccepted = async (tx: Tx, { id, campaignId, ...test }: Accepted): Promise<void> => {
  await tx.run(sql`update participations set nda_accepted = ${test.ndaAccepted}, nda_accepted_at = ${test.ndaAcceptedAt},
    proof_allowed_at = ${test.proofAllowedAt}, last_seen_at = ${test.lastSeenAt}, at_risk = ${test.atRisk},
    proof_warned = ${test.proofWarned}, wake_at = ${test.wakeAt} where id = ${id}`)
  await tx.run(sql`update campaigns set end_date = greatest(end_date, ${test.proofAllowedAt}::timestamptz)
    where id = ${campaignId} and status in ('LIVE', 'PAUSED')`)
}
