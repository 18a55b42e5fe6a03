/** The clock of one campaign, from the runs that are recorded, and the numbers of Play Console beside it. */
import { get as campaignOf } from '../../campaigns/server/campaigns.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { hasTesterList } from '../../campaigns/rules.ts'
import { clock, type Day, type Instant } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit as db } from '../../kit/server/db.ts'
import { doorIsClosed } from '../../nda/rules.ts'
import { dropWords } from '../../participations/dropWords.ts'
import { aliasOf, daysDone } from '../../participations/rules.ts'
import type { Continuity, PlayCount, TesterRun } from '../contract.ts'
import { assertPlayDay, clockOf, comparedWith, type Run, type TesterFacts } from '../rules.ts'
import type { RunEnding } from '../terms.ts'
import * as queries from './queries.ts'

export { costOfLeavingIn } from './leaving.ts'

export type RecordedRun = Run & { row: queries.RunRow; ending: RunEnding | null }
type Recorded = Omit<TesterFacts, 'runs'> & { row: queries.TesterRow; runs: readonly RecordedRun[] }

const toRun = (row: queries.RunRow): RecordedRun => ({
  row,
  startedAt: row.startedAt,
  endedAt: row.endedAt,
  ending: row.endReason,
  contested: row.contestedAt !== null && row.contestEndedAt === null,
  voided: row.endReason === 'VOIDED',
})

const recordedIn = async (campaignId: string): Promise<Recorded[]> => {
  const [testers, runs] = await Promise.all([queries.testersOf(db, campaignId), runsOf(campaignId)])
  const runsByTester = Map.groupBy(runs, ({ row }) => row.participationId)
  return testers
    .map(row => ({
      row,
      id: row.id,
      alias: aliasOf(row.ordinal),
      atRisk: row.atRisk,
      account: row.account,
      runs: runsByTester.get(row.id) ?? [],
    }))
    .filter(tester => tester.row.closedAt === null || tester.row.status === 'VERIFIED' || tester.runs.length > 0)
}

/** Every run of a campaign, oldest first, for other slices. */
export const runsOf = async (campaignId: string): Promise<RecordedRun[]> =>
  (await queries.runsOf(db, campaignId)).map(toRun)

const daysKept = (campaign: Campaign, row: queries.TesterRow, now: Instant): number =>
  daysDone(
    {
      ...campaign,
      checkIns: row.checkIns,
      spans: row.begunAt === null ? [] : [{ startedAt: row.begunAt, endedAt: null }],
    },
    row.closedAt ?? now,
  )

const facts = (campaign: Campaign, { row, runs }: Recorded, now: Instant) => {
  const run = runs.at(-1)
  const { contestedAt = null, contestReason = null, confirmedAt = null } = run?.row ?? {}
  return {
    status: row.status,
    listedAt: row.listedAt,
    notLetIn: row.notLetIn,
    ndaAwaited: doorIsClosed(row),
    ended: run?.ending ?? null,
    accountDeleted: row.accountDeleted,
    dropped: row.dropReason === null ? null : dropWords[row.dropReason](row.dropHours),
    confirmedAt,
    contested: run?.contested && contestedAt !== null ? { since: contestedAt, reason: contestReason ?? '' } : null,
    daysKept: hasTesterList(campaign.accessMode) ? null : daysKept(campaign, row, now),
  } satisfies Partial<TesterRun>
}

export const ofCampaign = async (user: SignedIn, id: string): Promise<Continuity> => {
  const campaign = await campaignOf(user, id)
  const [appliedAt, playCounts, testers] = await Promise.all([
    queries.appliedAtOf(db, id),
    queries.playCountsOf(db, id),
    recordedIn(id),
  ])
  const now = clock.now()
  const reading = clockOf(testers, now)
  return {
    ...reading,
    accessMode: campaign.accessMode,
    testers: reading.testers.map((tester, index) => ({ ...tester, ...facts(campaign, testers[index]!, now) })),
    playCounts: comparedWith(testers, playCounts),
    appliedAt,
  }
}

const assertComparable = ({ accessMode, startDate }: Campaign): Instant => {
  if (!hasTesterList(accessMode)) {
    const sentence = 'With an open link nobody opts in here, so there is nothing to compare Play Console’s number with.'
    throw new DomainError('WRONG_STATE', sentence)
  }
  if (startDate === null) throw new DomainError('WRONG_STATE', 'This campaign has not started yet.')
  return startDate
}

export const recordPlayCount = async (
  developer: SignedIn,
  { id, day, count }: { id: string; day: Day; count: number },
): Promise<PlayCount> => {
  const startDate = assertComparable(await campaignOf(developer, id))
  const now = clock.now()
  assertPlayDay(day, startDate, now)
  await queries.putPlayCount(db, { campaignId: id, day, count, now })
  return comparedWith(await recordedIn(id), [{ day, count }])[0]!
}

export const removePlayCount = async (developer: SignedIn, { id, day }: { id: string; day: Day }): Promise<void> => {
  await campaignOf(developer, id)
  await queries.deletePlayCount(db, id, day)
}
