/** Derives the report's figures from the recorded facts. Pure. */
import { type Day, hoursBetween, type Instant } from '../kit/clock.ts'
import type { DropReason, ParticipationStatus } from '../participations/contract.ts'
import { dropWords } from '../participations/dropWords.ts'
import { resultThatHolds } from '../bugs/rules.ts'
import { aliasOf } from '../participations/rules.ts'
import type { RetestResult } from '../bugs/terms.ts'
import type { FeedbackResults } from '../feedback/contract.ts'
import type { AppVersion } from '../changes/contract.ts'
import type { DropOut, EngagementDay, Report, ReportedBug, ReportedChange } from './contract.ts'

export type TesterFacts = {
  id: string
  ordinal: number
  status: ParticipationStatus
  dropReason: DropReason | null
  dropHours: number
  byPlatform: boolean
  /** The tester refused a changed NDA before the first day was paid, so the seat is free again (refuse_nda). */
  leftUnpaid: boolean
  joinedAt: Instant
  closedAt: Instant | null
  /** The last review of the proof. */
  reviewedAt: Instant | null
  daysCheckedIn: number
  /** Null if the account was deleted. */
  model: string | null
  manufacturer: string | null
  osVersion: string | null
}

export type CheckInFacts = {
  participationId: string
  day: Day
  note: string | null
  minutes: number | null
  features: readonly string[]
}

export type BugFacts = Omit<ReportedBug, 'alias'> & { ordinal: number }

export const toReportedBug = ({ ordinal, retest, ...bug }: BugFacts): ReportedBug => ({
  ...bug,
  retest: resultThatHolds(retest, bug.fixedIn !== null),
  alias: aliasOf(ordinal),
})

type Asked = { alias: string; result: RetestResult | null; open: boolean }

/**
 * Counts each tester once by what they found. A tester who was asked several times and found one thing broken has not confirmed the
 * change, and neither has one who has yet to look at part of it.
 */
const foundBy = (asked: readonly Asked[]): Pick<ReportedChange, 'works' | 'stillBroken' | 'notTested'> => {
  const found = { works: 0, stillBroken: 0, notTested: 0 }
  for (const all of Map.groupBy(asked, ({ alias }) => alias).values()) {
    if (all.some(({ result }) => result === 'STILL_BROKEN')) found.stillBroken++
    else if (all.some(({ open }) => open)) found.notTested++
    else if (all.some(({ result }) => result === 'WORKS')) found.works++
  }
  return found
}

/** `versions` come newest first. */
export const reportedChangesOf = (versions: readonly AppVersion[]): ReportedChange[] =>
  versions.toReversed().flatMap(({ version, publishedAt, changes }) =>
    changes.map(({ text, bugs, feedback }) => ({
      version,
      publishedAt,
      text,
      bugs: bugs.map(({ number }) => number),
      feedback: feedback.map(({ alias, quote }) => ({ alias, quote })),
      ...foundBy([...bugs.flatMap(({ reporters }) => reporters), ...feedback]),
    })),
  )

/** The statements of the System Usability Scale appear as one score. */
export const reportedFeedbackOf = ({ answered, sus, questions }: FeedbackResults): Report['feedback'] =>
  answered === 0
    ? null
    : {
        answered,
        sus: sus && { score: sus.score, testers: sus.testers },
        questions: questions
          .filter(({ question, answered: answers }) => answers > 0 && (question.sus === null || sus === null))
          .map(({ question, answered: answers, mean, counts, quotations }) => ({
            text: question.text,
            answered: answers,
            mean,
            counts: counts.filter(({ testers }) => testers > 0),
            quotations: quotations.map(({ alias, text }) => ({ alias, text })),
          })),
      }

const wholeDays = (from: Instant, to: Instant) => Math.max(0, Math.floor(hoursBetween(from, to) / 24))

/** A rejection that is not final yet still has its seat. */
const gaveUp = ({ status, closedAt }: TesterFacts) =>
  status === 'DROPPED' || status === 'CANCELLED' || (status === 'REJECTED' && closedAt !== null)

/** "due proof not submitted within 72 hours"; null if the tester was not dropped. */
export const whyDropped = ({ dropReason, dropHours }: Pick<TesterFacts, 'dropReason' | 'dropHours'>): string | null =>
  dropReason === null || dropReason === 'LEFT' ? null : dropWords[dropReason](dropHours)

const howOf = ({ status, dropReason }: TesterFacts): DropOut['how'] => {
  if (status === 'DROPPED') return dropReason === 'LEFT' ? 'LEFT' : 'DROPPED'
  return status === 'REJECTED' ? 'REJECTED' : 'CANCELLED'
}

type Change = {
  at: Instant
  joins: TesterFacts | null
  leaves: { dropOut: DropOut; freedAt: Instant; seatIsFree: boolean } | null
}

/**
 * Who gave up a seat, and who took it. A tester who joins while all other seats are taken replaces the first one whose seat became
 * free. If other seats were still free when a seat was given up, nobody is named for it.
 */
export const dropOutsOf = (testers: readonly TesterFacts[], seats: number): DropOut[] => {
  const left = testers.filter(gaveUp).map(tester => {
    const { id, ordinal, joinedAt, reviewedAt } = tester
    const how = howOf(tester)
    const freedAt = tester.closedAt ?? joinedAt
    // The seat became free only when the rejection was final.
    const at = how === 'REJECTED' ? (reviewedAt ?? freedAt) : freedAt
    const why = whyDropped(tester)
    const days = wholeDays(joinedAt, at)
    const dropOut: DropOut = { id, alias: aliasOf(ordinal), at, how, why, days, replacedBy: null }
    // A tester who was paid for days leaves no free seat: it is closed, or the campaign is over.
    return { dropOut, freedAt, seatIsFree: how !== 'CANCELLED' || tester.leftUnpaid }
  })
  const changes: Change[] = [
    ...testers.map(tester => ({ at: tester.joinedAt, joins: tester, leaves: null })),
    ...left.map(leaves => ({ at: leaves.freedAt, joins: null, leaves })),
  ].toSorted((a, b) => (a.at === b.at ? Number(a.joins !== null) - Number(b.joins !== null) : a.at < b.at ? -1 : 1))
  const free: DropOut[] = []
  let taken = 0
  for (const { joins, leaves } of changes) {
    if (leaves?.seatIsFree) {
      if (taken >= seats - free.length) free.push(leaves.dropOut)
      taken--
    }
    if (joins) {
      const replaced = free.shift()
      if (replaced) replaced.replacedBy = { alias: aliasOf(joins.ordinal), joinedAt: joins.joinedAt }
      taken++
    }
  }
  return left.map(({ dropOut }) => dropOut).toSorted((a, b) => (a.at < b.at ? -1 : 1))
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

export const engagementOf = (checkIns: readonly CheckInFacts[]): EngagementDay[] =>
  [...Map.groupBy(checkIns, ({ day }) => day)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, all]) => {
      const minutes = all.flatMap(checkIn => checkIn.minutes ?? [])
      return { day, checkIns: all.length, minutes: minutes.length === 0 ? null : sumOf(minutes) }
    })

/** Who tried each of the campaign's features; empty if no check-in names any. */
export const featuresOf = (
  features: readonly string[],
  testers: readonly { alias: string; features: readonly string[] }[],
): Report['features'] => {
  if (testers.every(tester => tester.features.length === 0)) return []
  return features.map(feature => ({
    feature,
    testers: testers.filter(tester => tester.features.includes(feature)).map(({ alias }) => alias),
  }))
}

/** Most frequent first. */
export const tallied = (values: readonly string[]): { value: string; testers: number }[] =>
  [...Map.groupBy(values, value => value)]
    .map(([value, all]) => ({ value, testers: all.length }))
    .toSorted((a, b) => b.testers - a.testers || (a.value < b.value ? -1 : 1))

export const medianOf = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}
