/** Builds the report from what is recorded. */
import type { SignedIn } from '../../kit/endpoint.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { list as versionsOf } from '../../changes/server/changes.ts'
import { get as campaignOf } from '../../campaigns/server/campaigns.ts'
import { results as feedbackOf } from '../../feedback/server/feedback.ts'
import * as continuity from '../../continuity/server/continuity.ts'
import { clock, hoursBetween, type Instant } from '../../kit/clock.ts'
import { autocommit as db } from '../../kit/server/db.ts'
import { aliasOf } from '../../participations/rules.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import { answersOf } from '../answers.ts'
import type { Report, ReportTester } from '../contract.ts'
import {
  type CheckInFacts,
  dropOutsOf,
  whyDropped,
  engagementOf,
  featuresOf,
  medianOf,
  reportedChangesOf,
  reportedFeedbackOf,
  tallied,
  type TesterFacts,
  toReportedBug,
} from '../rules.ts'
import { deviceNameOf } from '../words.ts'
import * as queries from './queries.ts'

const toRun = ({ startedAt, endedAt, ending, contested }: continuity.RecordedRun, now: Instant) => ({
  startedAt,
  endedAt,
  ended: ending,
  contested,
  days: Math.max(0, Math.floor(hoursBetween(startedAt, endedAt ?? now) / 24)),
})

type Recorded = {
  campaign: Campaign
  runs: continuity.RecordedRun[]
  counts: boolean
  checkIns: CheckInFacts[]
  now: Instant
}

const toTester = (tester: TesterFacts, { campaign, runs, counts, checkIns, now }: Recorded): ReportTester => {
  const tried = new Set(checkIns.flatMap(({ features }) => features))
  return {
    id: tester.id,
    alias: aliasOf(tester.ordinal),
    status: tester.status,
    dropped: whyDropped(tester),
    byPlatform: tester.byPlatform,
    joinedAt: tester.joinedAt,
    device: { model: tester.model, manufacturer: tester.manufacturer, osVersion: tester.osVersion },
    runs: runs.map(run => toRun(run, now)),
    counts,
    daysCheckedIn: tester.daysCheckedIn,
    features: campaign.features.filter(feature => tried.has(feature)),
  }
}

const devicesOf = (testers: readonly ReportTester[]) => ({
  devices: tallied(testers.flatMap(({ device }) => deviceNameOf(device) ?? [])).map(
    ({ value: device, testers: count }) => ({
      device,
      testers: count,
    }),
  ),
  osVersions: tallied(testers.flatMap(({ device }) => device.osVersion ?? [])).map(
    ({ value: version, testers: count }) => ({ version, testers: count }),
  ),
})

export const reportOf = async (user: SignedIn, id: string): Promise<Report> => {
  const campaign = await campaignOf(user, id)
  const [reading, runs, facts, checkIns, checkInsKeptFrom, settings, bugs, versions, feedback] = await Promise.all([
    continuity.ofCampaign(user, id),
    continuity.runsOf(id),
    queries.testersOf(db, id),
    queries.checkInsOf(db, id),
    queries.checkInsKeptFrom(db, id),
    currentSettings(db),
    queries.bugsOf(db, id),
    versionsOf(user, id),
    feedbackOf(user, id, {}),
  ])
  const now = clock.now()
  const runsBy = Map.groupBy(runs, ({ row }) => row.participationId)
  const counting = new Set(reading.testers.flatMap(({ id: testId, counts }) => (counts ? [testId] : [])))
  const checkInsBy = Map.groupBy(checkIns, ({ participationId }) => participationId)
  const testers = facts.map(tester =>
    toTester(tester, {
      campaign,
      runs: runsBy.get(tester.id) ?? [],
      counts: counting.has(tester.id),
      checkIns: checkInsBy.get(tester.id) ?? [],
      now,
    }),
  )
  const aliases = new Map(testers.map(tester => [tester.id, tester.alias]))
  const report = {
    campaign: { ...campaign, appliedAt: reading.appliedAt },
    writtenAt: now,
    clock: reading,
    testers,
    dropOuts: dropOutsOf(facts, campaign.testersRequired),
    checkInsKeptFrom,
    engagement: engagementOf(checkIns),
    features: featuresOf(campaign.features, testers),
    ...devicesOf(testers),
    bugs: bugs.map(toReportedBug),
    feedback: reportedFeedbackOf(feedback),
    changes: reportedChangesOf(versions),
    notes: checkIns.flatMap(({ participationId, day, note }) =>
      note === null || note === '' ? [] : [{ alias: aliases.get(participationId) ?? '', day, note }],
    ),
  }
  const medianMinutes = medianOf(checkIns.flatMap(({ minutes }) => minutes ?? []))
  return { ...report, answers: answersOf({ ...report, medianMinutes }, settings.answerCharacters) }
}
