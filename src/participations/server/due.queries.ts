/** SQL of what happens to tests if nobody acts, in batches. */
import { type Due, type Hold, holding, nextPage, type Page } from '../../kit/server/batches.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import { columns, type ParticipationRow, tables } from './rows.ts'

export const dueToWake = (tx: Tx, now: string, page: Page): Promise<(Due & { campaignId: string })[]> =>
  tx.rows(sql`select id, wake_at::text as at, campaign_id as "campaignId" from participations where wake_at <= ${now}
    ${nextPage(sql`wake_at`, page)}`)

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

type People = { users: readonly string[]; campaigns: readonly string[] }

/** Locks people first, then campaigns, as everything else does. Resolves with those that were locked. */
export const lockPeopleAndCampaigns = async (tx: Tx, { users, campaigns }: People, hold: Hold): Promise<People> => {
  const lockedUsers = await tx.rows<{ id: string }>(
    sql`select id from users where id = any(${users}) order by id for key share ${holding(hold)}`,
  )
  const lockedCampaigns = await tx.rows<{ id: string }>(
    sql`select id from campaigns where id = any(${campaigns}) order by id for update ${holding(hold)}`,
  )
  return { users: ids(lockedUsers), campaigns: ids(lockedCampaigns) }
}

/** These tests, locked with their people and campaigns. */
export const lockTests = (tx: Tx, testIds: readonly string[], hold: Hold): Promise<ParticipationRow[]> =>
  lockWhere(tx, sql`p.id = any(${testIds})`, hold)

/** Those of them that are still due. */
export const lockDueToWake = (
  tx: Tx,
  testIds: readonly string[],
  now: string,
  hold: Hold,
): Promise<ParticipationRow[]> => lockWhere(tx, sql`p.id = any(${testIds}) and p.wake_at <= ${now}`, hold)

const lockWhere = async (tx: Tx, due: ReturnType<typeof sql>, hold: Hold): Promise<ParticipationRow[]> => {
  const found = await tx.rows<{ id: string; testerId: string; developerId: string; campaignId: string }>(
    sql`select p.id, p.tester_id as "testerId", c.developer_id as "developerId", c.id as "campaignId"
      from ${tables} where ${due}`,
  )
  if (found.length === 0) return []
  const { users, campaigns } = await lockPeopleAndCampaigns(
    tx,
    {
      users: [...new Set(found.flatMap(({ testerId, developerId }) => [testerId, developerId]))],
      campaigns: [...new Set(found.map(({ campaignId }) => campaignId))],
    },
    hold,
  )
  // A test never changes its people or its campaign. With those conditions repeated, PostgreSQL would search for the tests by
  // tester.
  const [people, places] = [new Set(users), new Set(campaigns)]
  const free = found.filter(
    ({ testerId, developerId, campaignId }) =>
      people.has(testerId) && people.has(developerId) && places.has(campaignId),
  )
  return tx.rows(sql`select ${columns} from ${tables} where p.id = any(${ids(free)}) and ${due}
    order by p.id for update of p ${holding(hold)}`)
}

/** All testers who wait for the tester lists of these campaigns, which the caller has locked; campaign by campaign. */
export const lockWaiting = (tx: Tx, campaignIds: readonly string[]): Promise<ParticipationRow[]> =>
  tx.rows(sql`select ${columns} from ${tables} where p.campaign_id = any(${campaignIds}) and p.status = 'ACTIVE'
    and p.listed_at is null and p.opted_in_at is null and p.opted_out_at is null
    order by p.campaign_id, p.ordinal for update of p`)

export type Awaited = {
  id: string
  atRisk: boolean
  proofWarned: boolean
  waitNoticesSent: number
  wakeAt: string | null
}

/** Stores which notices were sent, and when to look again. */
export const setAwaited = async (tx: Tx, tests: readonly Awaited[]): Promise<void> => {
  if (tests.length === 0) return
  await tx.run(sql`update participations p set at_risk = told.at_risk, proof_warned = told.proof_warned,
      wait_notices_sent = told.wait_notices_sent, wake_at = told.wake_at
    from unnest(${tests.map(({ id }) => id)}::uuid[], ${tests.map(({ atRisk }) => atRisk)}::boolean[],
      ${tests.map(({ proofWarned }) => proofWarned)}::boolean[],
      ${tests.map(({ waitNoticesSent }) => waitNoticesSent)}::int[],
      ${tests.map(test => test.wakeAt)}::timestamptz[])
      as told (id, at_risk, proof_warned, wait_notices_sent, wake_at)
    where p.id = told.id`)
}
