/** Sentences of the report, the same on the page and in the PDF. Days and times are in UTC. */
import type { Instant } from '../kit/clock.ts'
import { counted } from '../kit/words.ts'
import type { DropOut, Report, ReportTester } from './contract.ts'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** "Dec 3, 2026", of a time or a day. */
export const dayText = (at: Instant): string => day.format(Date.parse(at))

const timeText = (at: Instant): string => `${time.format(Date.parse(at))} UTC`

const accessWords: Record<Report['campaign']['accessMode'], string> = {
  EMAIL_LIST: 'Closed test, with an email list',
  GOOGLE_GROUP: 'Closed test, with a Google Group',
  OPEN_LINK: 'Open link',
}

const endings: Record<NonNullable<ReportTester['runs'][number]['ended']>, string> = {
  OPTED_OUT: 'opted out',
  LEFT: 'left the test',
  DROPPED: 'dropped',
  REJECTED: 'proof rejected',
  CANCELLED: 'campaign cancelled',
  VOIDED: 'opt-in found void',
}

/** "Nov 19, 2026 to Nov 27, 2026 (8 full days, opted out)". */
export const runText = ({ startedAt, endedAt, ended, contested, days }: ReportTester['runs'][number]): string => {
  const facts = [counted(days, 'full day'), ...(ended ? [endings[ended]] : []), ...(contested ? ['contested'] : [])]
  return `${dayText(startedAt)} to ${endedAt === null ? 'now' : dayText(endedAt)} (${facts.join(', ')})`
}

/** "Google Pixel 8, version 14". */
export const deviceText = ({ device: { manufacturer, model, osVersion } }: ReportTester): string => {
  const name = manufacturer === null || model.startsWith(manufacturer) ? model : `${manufacturer} ${model}`
  return osVersion === null ? name : `${name}, version ${osVersion}`
}

const howWords: Record<DropOut['how'], string> = {
  LEFT: 'left',
  DROPPED: 'was dropped',
  REJECTED: 'was rejected',
  CANCELLED: 'was cancelled',
}

/** "Tester 5 left on Nov 20, 2026, after 8 days. Tester 14 took the seat on Nov 21, 2026." */
export const dropOutText = ({ alias, at, how, days, replacedBy }: DropOut): string =>
  `${alias} ${howWords[how]} on ${dayText(at)}, after ${counted(days, 'day')}.` +
  (replacedBy ? ` ${replacedBy.alias} took the seat on ${dayText(replacedBy.joinedAt)}.` : '')

export const datesOf = ({ campaign, clock, testers, writtenAt }: Report): { label: string; value: string }[] => [
  { label: 'Access', value: accessWords[campaign.accessMode] },
  { label: 'Seats', value: String(campaign.testersRequired) },
  { label: 'Joined', value: counted(testers.length, 'tester') },
  { label: 'Duration', value: counted(campaign.durationDays, 'day') },
  { label: 'Started', value: campaign.startDate === null ? 'Not started' : timeText(campaign.startDate) },
  ...(campaign.endDate === null ? [] : [{ label: 'Ends', value: timeText(campaign.endDate) }]),
  ...(campaign.accessMode === 'OPEN_LINK'
    ? []
    : [
        { label: 'Opted in without a break', value: counted(clock.unbrokenTesters, 'tester') },
        {
          label: 'Earliest date to apply',
          value: clock.earliestDate === null ? 'None yet' : dayText(clock.earliestDate),
        },
      ]),
  ...(campaign.appliedAt === null ? [] : [{ label: 'Applied', value: timeText(campaign.appliedAt) }]),
  { label: 'Report written', value: timeText(writtenAt) },
]

/** What the dates mean, and what nobody can promise. */
export const readingText = ({ clock }: Report): string =>
  `The date follows the strictest reading of Google’s rule for personal accounts: ${clock.requiredTesters} testers who were themselves opted in for the last ${clock.requiredDays} days, without a break. ` +
  `Some guides read it as 12 or more at once, whoever they are: by their reading it has been ${clock.aggregateRunDays} of ${clock.requiredDays} days. ` +
  'It rests on what testers told and showed. Whether an application is granted is Google’s decision.'
