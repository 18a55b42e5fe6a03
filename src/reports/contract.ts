/** The report of a campaign: what was recorded, and drafts of answers for Google's form based on it. */
import { z } from 'zod'
import { bugSeverities, bugStatuses, retestResults } from '../bugs/terms.ts'
import { AccessMode, CampaignStatus, Platform } from '../campaigns/contract.ts'
import { runEndings } from '../continuity/terms.ts'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Cents, Day, Id, Instant } from '../kit/schemas.ts'
import { ParticipationStatus } from '../participations/contract.ts'
import { factNames, questionKeys } from './terms.ts'

export const ReportTester = z.object({
  id: Id,
  alias: z.string(),
  status: ParticipationStatus,
  /** Why the tester was dropped: "due proof not submitted within 72 hours"; null unless DROPPED. */
  dropped: z.string().nullable(),
  /** The platform VERIFIED the test, because nobody decided on the appeal. */
  byPlatform: z.boolean(),
  joinedAt: Instant,
  /** The model is missing if the account was deleted. */
  device: z.object({
    model: z.string().nullable(),
    manufacturer: z.string().nullable(),
    osVersion: z.string().nullable(),
  }),
  /** Every time the tester was opted in, oldest first. */
  runs: z.array(
    z.object({
      startedAt: Instant,
      endedAt: Instant.nullable(),
      ended: z.enum(runEndings).nullable(),
      contested: z.boolean(),
      days: z.int(),
    }),
  ),
  /** Whether the last run continues and is not contested. */
  counts: z.boolean(),
  daysCheckedIn: z.int(),
  /** The campaign's features that the tester's check-ins name. */
  features: z.array(z.string()),
})
export type ReportTester = z.output<typeof ReportTester>

/** A tester who gave up the seat, and the tester who took it. */
export const DropOut = z.object({
  id: Id,
  alias: z.string(),
  /** For a rejection, when it was made; its seat became free only once the rejection was final. */
  at: Instant,
  how: z.enum(['LEFT', 'DROPPED', 'REJECTED', 'CANCELLED']),
  /** Why a dropped tester was dropped; null otherwise. */
  why: z.string().nullable(),
  /** Whole days since joining. */
  days: z.int(),
  replacedBy: z.object({ alias: z.string(), joinedAt: Instant }).nullable(),
})
export type DropOut = z.output<typeof DropOut>

export const EngagementDay = z.object({
  day: Day,
  checkIns: z.int(),
  /** The total that testers stated; null if nobody stated a duration. */
  minutes: z.int().nullable(),
})
export type EngagementDay = z.output<typeof EngagementDay>

/** A bug that a tester reported. `retest` is its reporter's last answer. */
export const ReportedBug = z.object({
  number: z.int(),
  title: z.string(),
  alias: z.string(),
  severity: z.enum(bugSeverities),
  status: z.enum(bugStatuses),
  /** For a duplicate, that of its original. */
  fixedIn: z.string().nullable(),
  duplicateOf: z.int().nullable(),
  reportedAt: Instant,
  retest: z.enum(retestResults).nullable(),
})
export type ReportedBug = z.output<typeof ReportedBug>

/** A question of the feedback form with the testers' answers: a rating's mean and counts, or what they wrote. */
export const ReportedQuestion = z.object({
  text: z.string(),
  answered: z.int(),
  /** From 1 to 5; null for other kinds of questions. */
  mean: z.number().nullable(),
  counts: z.array(z.object({ value: z.string(), testers: z.int() })),
  quotations: z.array(z.object({ alias: z.string(), text: z.string() })),
})
export type ReportedQuestion = z.output<typeof ReportedQuestion>

/**
 * What a version changed and the bugs and feedback that it answers. It also says how many of the testers who were asked found what,
 * counting each tester once.
 */
export const ReportedChange = z.object({
  version: z.string(),
  publishedAt: Instant,
  text: z.string(),
  bugs: z.array(z.int()),
  /** The feedback that the change answers. */
  feedback: z.array(z.object({ alias: z.string(), quote: z.string() })),
  works: z.int(),
  stillBroken: z.int(),
  notTested: z.int(),
})
export type ReportedChange = z.output<typeof ReportedChange>

/** A piece of a draft. A number names the part of the report that it comes from. */
export const DraftPart = z.object({ text: z.string(), fact: z.enum(factNames).nullable() })
export type DraftPart = z.output<typeof DraftPart>

export const Answer = z.object({
  key: z.enum(questionKeys),
  question: z.string(),
  /** Null if nothing recorded answers the question. */
  draft: z.string().nullable(),
  parts: z.array(DraftPart),
  characters: z.int(),
  mostCharacters: z.int(),
})
export type Answer = z.output<typeof Answer>

const Filters = z.object({
  countries: z.array(z.string()),
  minAndroidVersion: z.string().nullable(),
  minIOSVersion: z.string().nullable(),
})

export const Report = z.object({
  campaign: z.object({
    id: Id,
    title: z.string(),
    platform: Platform,
    accessMode: AccessMode,
    status: CampaignStatus,
    testersRequired: z.int(),
    durationDays: z.int(),
    payPerTesterCents: Cents,
    filters: Filters,
    startDate: Instant.nullable(),
    endDate: Instant.nullable(),
    /** When the campaign was completed or cancelled; null until then. */
    endedAt: Instant.nullable(),
    appliedAt: Instant.nullable(),
  }),
  writtenAt: Instant,
  clock: z.object({
    requiredTesters: z.int(),
    requiredDays: z.int(),
    unbrokenTesters: z.int(),
    earliestDate: Day.nullable(),
    earliestAt: Instant.nullable(),
    aggregateRunDays: z.int(),
  }),
  testers: z.array(ReportTester),
  dropOuts: z.array(DropOut),
  /** What testers said at check-ins before this day was deleted, since its retention period is over. The days still count. */
  checkInsKeptFrom: Day.nullable(),
  engagement: z.array(EngagementDay),
  /** The testers who tried each of the campaign's features; empty if no check-in names any. */
  features: z.array(z.object({ feature: z.string(), testers: z.array(z.string()) })),
  devices: z.array(z.object({ device: z.string(), testers: z.int() })),
  osVersions: z.array(z.object({ version: z.string(), testers: z.int() })),
  /** Sorted by number. */
  bugs: z.array(ReportedBug),
  /** The results of the feedback form; null if nobody has answered it. */
  feedback: z
    .object({
      answered: z.int(),
      sus: z.object({ score: z.number(), testers: z.int() }).nullable(),
      questions: z.array(ReportedQuestion),
    })
    .nullable(),
  /** Oldest version first. */
  changes: z.array(ReportedChange),
  /** Check-in notes, word for word, oldest first. */
  notes: z.array(z.object({ alias: z.string(), day: Day, note: z.string() })),
  answers: z.array(Answer),
})
export type Report = z.output<typeof Report>

const ofCampaign = { method: 'GET', params: ById, access: ['DEVELOPER', 'ADMIN'], report: true, replica: true } as const

export const reportApi = endpoints({
  report: {
    ...ofCampaign,
    path: '/campaigns/:id/report',
    summary: 'The report on the caller’s campaign, with draft answers for Google’s production access form.',
    reply: Report,
  },
  reportPdf: {
    ...ofCampaign,
    path: '/campaigns/:id/report.pdf',
    summary: 'The report on the caller’s campaign, as a PDF.',
    file: ['application/pdf'],
  },
  reportCsv: {
    ...ofCampaign,
    path: '/campaigns/:id/report.csv',
    summary: 'The report on the caller’s campaign as CSV, one line per recorded fact.',
    file: ['text/csv'],
  },
})
