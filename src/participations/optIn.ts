/** The way into a closed test (decision 027): how far a tester is, and the one next step. Pure. */
import { type Day, daysAfter, dayIn, hoursAfter, hoursBetween, type Instant } from '../kit/clock.ts'
import { hasTesterList } from '../campaigns/rules.ts'
import { doorIsClosed } from '../nda/rules.ts'
import {
  checkedInToday,
  countsFromOptIn,
  isOut,
  isOutForGood,
  mustAcceptNda,
  type Situation,
  waitsForList,
} from './situation.ts'
import { type FunnelStep, mostNoAccessReports, type NextStep, noAccessAfterHours, staysAfterEndDays } from './terms.ts'

/**
 * How far a tester has come, and since when. Steps are evidence, not gates: an opt-in counts although the link was never
 * opened. Whoever is out stands where they were before opting in. Null without a tester list.
 */
export const funnelOf = (
  situation: Situation,
  firstCheckInAt: Instant | null,
): { step: FunnelStep; since: Instant } | null => {
  const { accessMode, joinedAt, listedAt, linkOpenedAt, optedInAt, optedOutAt, noAccessAt } = situation
  if (!hasTesterList(accessMode)) return null
  if (optedInAt !== null && firstCheckInAt !== null) return { step: 'IN_USE', since: firstCheckInAt }
  if (optedInAt !== null) return { step: 'OPTED_IN', since: optedInAt }
  if (optedOutAt !== null) return { step: 'LINK_OPENED', since: optedOutAt }
  // The developer's turn again.
  if (noAccessAt !== null && listedAt === null) return { step: 'JOINED', since: noAccessAt }
  if (linkOpenedAt !== null) return { step: 'LINK_OPENED', since: linkOpenedAt }
  return listedAt === null ? { step: 'JOINED', since: joinedAt } : { step: 'LISTED', since: listedAt }
}

/** Until the developer has applied, and at most this long after the campaign's end, testers are asked to stay opted in. */
export const mustStay = (situation: Situation, now: Instant): boolean => {
  const { appliedAt, campaignClosedAt } = situation
  if (!countsFromOptIn(situation) || appliedAt !== null) return false
  return campaignClosedAt === null || now < daysAfter(campaignClosedAt, staysAfterEndDays)
}

/** For so many days after the campaign's end at most; null for who need not stay. */
export const stayDaysOf = (situation: Situation, now: Instant): number | null =>
  mustStay(situation, now) ? staysAfterEndDays : null

/** The one thing that the tester can do now; null when there is nothing to do today. */
export const nextStepOf = (situation: Situation, now: Instant): NextStep | null => {
  if (mustAcceptNda(situation)) return 'ACCEPT_NDA'
  if (isOutForGood(situation)) return null
  if (waitsForList(situation)) return doorIsClosed(situation) ? 'ACCEPT_NDA' : 'WAIT_FOR_LIST'
  switch (situation.status) {
    case 'SUBMITTED':
    case 'VERIFIED':
      if (!mustStay(situation, now)) return null
      return isOut(situation) ? 'OPT_IN' : 'STAY'
    case 'CHANGES_REQUESTED':
      return isOut(situation) ? 'OPT_IN' : 'PROOF'
    case 'ACTIVE':
      return stepOfActive(situation, now)
    case 'WAITLISTED':
    case 'REJECTED':
    case 'APPEALED':
    case 'DROPPED':
    case 'CANCELLED':
      return null
  }
}

const stepOfActive = (situation: Situation, now: Instant): NextStep | null => {
  const { linkOpenedAt, optedOutAt, proofAllowedAt, lastCheckInDay, timeZone } = situation
  if (isOut(situation) && linkOpenedAt === null && optedOutAt === null)
    return doorIsClosed(situation) ? 'ACCEPT_NDA' : 'OPEN_LINK'
  if (isOut(situation)) return 'OPT_IN'
  if (proofAllowedAt !== null && now >= proofAllowedAt) return 'PROOF'
  // Where check-ins are optional, the first one still shows that the app is installed.
  const wanted =
    asksForCheckIn(situation, dayIn(timeZone, now)) || (hasTesterList(situation.accessMode) && lastCheckInDay === null)
  return wanted && !checkedInToday(situation, now) ? 'CHECK_IN' : null
}

/**
 * Whether a day asks for a check-in. Its hours end a test on the day after its last one, unless it began at midnight: whoever has
 * all of its days by then owes no other, except to keep the seat.
 */
export const asksForCheckIn = (situation: Situation, day: Day): boolean => {
  const { dailyCheckIn, durationDays, daysCheckedIn, proofAllowedAt, timeZone, atRisk } = situation
  const isAfterLastDay = proofAllowedAt !== null && day >= dayIn(timeZone, proofAllowedAt)
  return dailyCheckIn && (atRisk || !isAfterLastDay || daysCheckedIn < durationDays)
}

/** From when it may be reported that Google Play does not let the tester in; null while there is nothing to report. */
export const mayReportNoAccessAt = (situation: Situation): Instant | null => {
  const { status, listedAt, optedInAt, optedOutAt, noAccessReports } = situation
  if (status !== 'ACTIVE' || !countsFromOptIn(situation) || mustAcceptNda(situation)) return null
  if (listedAt === null || optedInAt !== null || optedOutAt !== null) return null
  return noAccessReports < mostNoAccessReports ? hoursAfter(listedAt, noAccessAfterHours) : null
}

/** The day of a run that a calendar day is, counted from 1, in the tester's time zone. */
export const dayOfRun = (startedAt: Instant, timeZone: string, at: Instant): number =>
  hoursBetween(dayIn(timeZone, startedAt), dayIn(timeZone, at)) / 24 + 1
