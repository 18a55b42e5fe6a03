/** The fourteen-day clock of a closed test: since when each tester has been opted in, and what Play Console showed. */
import { z } from 'zod'
import { AccessMode } from '../campaigns/contract.ts'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Day, Id, Instant, wholeNumber } from '../kit/schemas.ts'
import { ParticipationStatus } from '../participations/contract.ts'
import { mostPlayTesters, runEndings } from './terms.ts'

export const TesterRun = z.object({
  /** The id of the campaign tester. */
  id: Id,
  alias: z.string(),
  status: ParticipationStatus,
  /** When the owner confirmed that the tester is on the list in Play Console, or in the Google Group. */
  listedAt: Instant.nullable(),
  /** When the tester reported that Google Play does not let them in, which cleared `listedAt`. */
  notLetIn: z.boolean(),
  /** The campaign's NDA is not accepted yet, so the tester cannot be added to that list. */
  ndaAwaited: z.boolean(),
  /** Start and end of the present run, or of the last one; null before the first. */
  optedInAt: Instant.nullable(),
  optedOutAt: Instant.nullable(),
  /** Why the last run ended; null while it lasts. */
  ended: z.enum(runEndings).nullable(),
  /** Why the seat was given up, "due proof not submitted within 72 hours"; null unless DROPPED. */
  dropped: z.string().nullable(),
  /** When the tester last confirmed, or gave a sign, that the run goes on. */
  confirmedAt: Instant.nullable(),
  /** Since when, and why, the developer contests the run; null if it is not contested, or no longer. */
  contested: z.object({ since: Instant, reason: z.string() }).nullable(),
  /** Whole days of the run, each of 24 hours. */
  runDays: z.int(),
  /** Whether the run counts for the clock: it lasts, is not contested, and is the oldest such run of its Google account. */
  counts: z.boolean(),
  /** Aliases of other testers whose runs last with the same Google account, which Google Play counts once. */
  sharesAccountWith: z.array(z.string()),
  /** The tester was warned, and is about to be dropped. */
  atRisk: z.boolean(),
  /** The tester has deleted the account. They count while the run lasts, but exports of the list can no longer name them. */
  accountDeleted: z.boolean(),
  /** The earliest date if this tester stopped now. */
  earliestDateWithout: Day.nullable(),
  /** The days done so far, in a campaign with an open link, where nobody opts in. Null in a closed test. */
  daysKept: z.int().nullable(),
})
export type TesterRun = z.output<typeof TesterRun>

export const PlayCount = z.object({
  day: Day,
  count: z.int(),
  /** `count` less those opted in now (today), or at the day's end in UTC. */
  difference: z.int(),
})
export type PlayCount = z.output<typeof PlayCount>

export const Continuity = z.object({
  requiredTesters: z.int(),
  requiredDays: z.int(),
  accessMode: AccessMode,
  /** How many testers have been opted in without a break, and are not contested; those who share a Google account count once. */
  unbrokenTesters: z.int(),
  /**
   * The day in UTC on which the 12th-oldest unbroken run reaches 14 × 24 hours; in the past once reached. Null with fewer than
   * 12, and with an open link, since Google counts closed tests only.
   */
  earliestDate: Day.nullable(),
  earliestAt: Instant.nullable(),
  /** The present day of the 12th-oldest unbroken run, 1 to 14. */
  day: z.int().nullable(),
  /** `unbrokenTesters` minus 12. */
  buffer: z.int(),
  testers: z.array(TesterRun),
  /** The rule read in another way: for how many whole days, up to now, 12 or more testers have been opted in at once. */
  aggregateRunDays: z.int(),
  /** What the owner saw in Play Console, newest first. */
  playCounts: z.array(PlayCount),
  /** When the owner said that they have applied for production access. */
  appliedAt: Instant.nullable(),
})
export type Continuity = z.output<typeof Continuity>

export const PlayCountInput = z.object({ count: wholeNumber('The number of testers', 0, mostPlayTesters) })

export const continuityApi = endpoints({
  ofCampaign: {
    method: 'GET',
    path: '/campaigns/:id/continuity',
    replica: true,
    access: ['DEVELOPER', 'ADMIN'],
    revalidated: true,
    summary:
      'The clock of the caller’s campaign: who has been opted in without a break, and the earliest date to apply for production access.',
    params: ById,
    reply: Continuity,
  },
  recordPlayCount: {
    method: 'PUT',
    path: '/campaigns/:id/play-counts/:day',
    access: 'DEVELOPER',
    summary:
      'Record how many testers Play Console showed on a day in UTC, from the start to today. 409 with an open link, and before the start.',
    params: ById.extend({ day: Day }),
    body: PlayCountInput,
    reply: PlayCount,
    errors: ['WRONG_STATE'],
  },
  removePlayCount: {
    method: 'DELETE',
    path: '/campaigns/:id/play-counts/:day',
    access: 'DEVELOPER',
    summary: 'Remove the number recorded for a day.',
    params: ById.extend({ day: Day }),
  },
})
