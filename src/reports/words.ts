/**
 * Sentences of the report, the same on the page and in the PDF. Times and their dates are in UTC; a check-in has the day of its
 * tester.
 */
import type { Day, Instant } from '../kit/clock.ts'
import { hasEnded } from '../campaigns/rules.ts'
import { campaignStatusLabels, platformNames } from '../campaigns/terms.ts'
import { countryCodeOf, countryName } from '../kit/countries.ts'
import { allOf, counted, deviceName, oneDecimal, quoted } from '../kit/words.ts'
import { retestWords, severityWords, statusWords } from '../bugs/rules.ts'
import type { DropOut, Report, ReportedBug, ReportedChange, ReportedQuestion, ReportTester } from './contract.ts'
import type { QuestionKey } from './terms.ts'
import { once } from '../kit/once.ts'

const day = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }))
const time = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }))

/** "Dec 3, 2026", for a time or a day. */
export const dayText = (at: Instant): string => day().format(Date.parse(at))

/** "Dec 3, 2026, 8:00 AM UTC", without line breaks between the time, AM or PM, and UTC. */
const timeText = (at: Instant): string => `${time().format(Date.parse(at))} UTC`.replace(/\s(?=AM|PM|UTC)/g, '\u00A0')

export const accessWords: Record<Report['campaign']['accessMode'], string> = {
  EMAIL_LIST: 'Closed test, with an email list',
  GOOGLE_GROUP: 'Closed test, with a Google Group',
  OPEN_LINK: 'Open link',
}

export const endingWords: Record<NonNullable<ReportTester['runs'][number]['ended']>, string> = {
  OPTED_OUT: 'opted out',
  LEFT: 'left the test',
  DROPPED: 'dropped',
  REJECTED: 'proof rejected',
  CANCELLED: 'campaign cancelled',
  VOIDED: 'opt-in voided',
}

/** "Nov 19, 2026 to Nov 27, 2026 (8 full days, opted out)". */
export const runText = ({ startedAt, endedAt, ended, contested, days }: ReportTester['runs'][number]): string => {
  const facts = [counted(days, 'full day'), ...(ended ? [endingWords[ended]] : []), ...(contested ? ['contested'] : [])]
  return `${dayText(startedAt)} to ${endedAt === null ? 'now' : dayText(endedAt)} (${facts.join(', ')})`
}

/** "Google Pixel 8"; null if the account was deleted. */
export const deviceNameOf = ({ model, manufacturer }: ReportTester['device']): string | null =>
  model === null ? null : deviceName({ model, manufacturer })

/** "Android 14". The campaign's platform applies to all, since it takes only devices of its platform. */
export const systemText = ({ platform }: Pick<Report['campaign'], 'platform'>, version: string): string =>
  `${platformNames[platform]} ${version}`

/** "Google Pixel 8, Android 14". */
export const deviceText = ({ device }: ReportTester, campaign: Pick<Report['campaign'], 'platform'>): string => {
  const name = deviceNameOf(device) ?? 'device not kept'
  return device.osVersion === null ? name : `${name}, ${systemText(campaign, device.osVersion)}`
}

export const howWords: Record<DropOut['how'], string> = {
  LEFT: 'left',
  DROPPED: 'was dropped',
  REJECTED: 'was rejected',
  CANCELLED: 'was cancelled',
}

/**
 * "Tester 5 left on Nov 20, 2026, after 8 days. Tester 14 took the seat on Nov 21, 2026." Leaves out the days for rejected testers:
 * they had finished, and how long the review took says nothing about them.
 */
export const dropOutText = ({ alias, at, how, why, days, replacedBy }: DropOut): string =>
  `${alias} ${howWords[how]}${why === null ? '' : ` (${why})`} on ${dayText(at)}${how === 'REJECTED' ? '' : `, after ${counted(days, 'day')}`}.` +
  (replacedBy ? ` ${replacedBy.alias} took the seat on ${dayText(replacedBy.joinedAt)}.` : '')

const stateOf = ({ status, fixedIn, duplicateOf }: ReportedBug) => {
  const fixed = fixedIn === null ? null : `fixed in ${fixedIn}`
  if (duplicateOf !== null) return [`duplicate of #${duplicateOf}`, fixed].filter(Boolean).join(', ')
  return fixed ?? statusWords[status].toLowerCase()
}

/** "#3 Search closes the app (high, Tester 1, Nov 20, 2026): fixed in 1.2, works now". */
export const bugText = (bug: ReportedBug): string =>
  `#${bug.number} ${bug.title} (${severityWords[bug.severity].toLowerCase()}, ${bug.alias}, ${dayText(bug.reportedAt)}): ` +
  stateOf(bug) +
  (bug.retest === null ? '' : `, ${retestWords[bug.retest].toLowerCase()}`)

/**
 * "1.2, Nov 22, 2026: Long words no longer close the search. Addresses #1 and #4: works now for 2 testers, not tested yet by 1
 * tester."
 */
export const changeText = ({ version, publishedAt, text, bugs, feedback, ...found }: ReportedChange): string => {
  const tested = [
    ...(found.works > 0 ? [`works now for ${counted(found.works, 'tester')}`] : []),
    ...(found.stillBroken > 0 ? [`still broken for ${counted(found.stillBroken, 'tester')}`] : []),
    ...(found.notTested > 0 ? [`not tested yet by ${counted(found.notTested, 'tester')}`] : []),
  ]
  const of = [...new Set(feedback.map(({ alias }) => alias))]
  const answered = [
    ...bugs.map(number => `#${number}`),
    ...(of.length === 0 ? [] : [`${allOf(of.map(alias => `${alias}’s`))} feedback`]),
  ]
  const outcome = tested.length === 0 ? '' : `: ${tested.join(', ')}`
  const answers = answered.length === 0 ? '' : `. Addresses ${allOf(answered)}${outcome}`
  return `${version}, ${dayText(publishedAt)}: ${text.replace(/\.$/, '')}${answers}.`
}

/** What a developer wrote, followed by a colon unless it ends in a punctuation mark of its own. */
export const withColon = (text: string): string => (/[?!.:…]$/.test(text) ? text : `${text}:`)

/**
 * "Ease of use: 4.2 out of 5 on average, 11 testers". "Would you keep it? Yes 8, No 3 (11 testers)". "What is missing? “Undo”
 * (Tester 3)".
 */
const questionText = ({ text, answered, mean, counts, quotations }: ReportedQuestion): string => {
  const testers = counted(answered, 'tester')
  const said = quotations.map(({ alias, text: words }) => `${quoted(words)} (${alias})`).join(' ')
  const asked = withColon(text)
  if (mean !== null) return `${asked} ${oneDecimal(mean)} out of 5 on average, ${testers}`
  if (counts.length > 0)
    return `${asked} ${counts.map(count => `${count.value} ${count.testers}`).join(', ')} (${testers})`
  return `${asked} ${said}`
}

/** The lines of the feedback, beginning with how many testers answered. */
export const feedbackLines = ({ answered, sus, questions }: NonNullable<Report['feedback']>): string[] => [
  `Answered by ${counted(answered, 'tester')}.`,
  ...(sus ? [`System Usability Scale: ${oneDecimal(sus.score)} out of 100, ${counted(sus.testers, 'tester')}`] : []),
  ...questions.map(questionText),
]

type Wanted = Pick<Report['campaign'], 'platform' | 'filters'>

/** The names of the countries that the campaign is open to; empty if it is open to all. */
export const countriesOf = ({ filters }: Pick<Wanted, 'filters'>): string[] =>
  filters.countries.map(written => {
    const code = countryCodeOf(written)
    return code === null ? written : countryName(code)
  })

export const leastVersionOf = ({ platform, filters }: Wanted): string | null =>
  platform === 'ios' ? filters.minIOSVersion : filters.minAndroidVersion

type Line = { label: string; value: string }

const wantedOf = (campaign: Wanted): Line[] => {
  const version = leastVersionOf(campaign)
  const countries = countriesOf(campaign)
  return [
    ...(version === null
      ? []
      : [{ label: 'Device', value: `${platformNames[campaign.platform]} ${version} or newer` }]),
    ...(countries.length === 0 ? [] : [{ label: 'Countries', value: allOf(countries) }]),
  ]
}

/** A campaign that is over shows its actual end, not the planned one. */
const endOf = ({ status, endDate, endedAt }: Report['campaign']): Line[] => {
  if (endedAt !== null) return [{ label: campaignStatusLabels[status], value: timeText(endedAt) }]
  return endDate === null ? [] : [{ label: 'Ends', value: timeText(endDate) }]
}

export const datesOf = ({ campaign, clock, testers, writtenAt }: Report): Line[] => [
  { label: 'Access', value: accessWords[campaign.accessMode] },
  { label: 'Seats', value: String(campaign.testersRequired) },
  ...wantedOf(campaign),
  { label: 'Joined', value: counted(testers.length, 'tester') },
  { label: 'Duration', value: counted(campaign.durationDays, 'day') },
  { label: 'Started', value: campaign.startDate === null ? 'Not started' : timeText(campaign.startDate) },
  ...endOf(campaign),
  ...(campaign.accessMode === 'OPEN_LINK'
    ? []
    : [
        { label: 'Opted in without a break', value: counted(clock.unbrokenTesters, 'tester') },
        {
          label: 'Earliest date to apply',
          value:
            clock.earliestDate === null
              ? `None${hasEnded(campaign.status) ? '' : ' yet'}`
              : dayText(clock.earliestDate),
        },
      ]),
  ...(campaign.appliedAt === null ? [] : [{ label: 'Applied', value: timeText(campaign.appliedAt) }]),
  { label: 'Report written', value: timeText(writtenAt) },
]

/** What the dates mean, and what nobody can promise. */
export const readingText = ({ clock }: Report): string =>
  `The date follows the strictest reading of Google’s rule for personal accounts: the same ${clock.requiredTesters} testers were opted in for the last ${clock.requiredDays} days, without a break. ` +
  `Some guides read it as 12 or more at once, no matter who they are. By that reading, it has been ${clock.aggregateRunDays} of ${clock.requiredDays} days. ` +
  'It is based on what testers told us and showed us. Whether an application is granted is Google’s decision.'

/** A note before the drafts of a campaign that Google's form is not about; null for a closed test. */
export const notForTheForm = ({ campaign }: Pick<Report, 'campaign'>): string | null =>
  campaign.accessMode === 'OPEN_LINK'
    ? 'Google asks these questions about closed tests only. This campaign has an open link, so these drafts are not for Google’s form.'
    : null

/** Says why there is no draft. For feedback there may be notes, which only a reader can sum up. */
export const noDraftText = (key: QuestionKey, { notes }: Pick<Report, 'notes'>): string =>
  key === 'feedback' && notes.length > 0
    ? `There is no draft for this. Testers left ${counted(notes.length, 'note')} with their check-ins, listed in the last section.`
    : 'Nothing recorded here answers this, so there is no draft.'

/** For a campaign that has lost check-ins before this day because of their age. */
export const deletedText = (keptFrom: Day): string =>
  `Check-in details from before ${dayText(keptFrom)} were deleted because of their age. The days themselves are kept.`

export const noTestersText = 'Nobody has joined yet.'
export const noCheckInsText = 'Nobody has checked in yet.'

export const noDevicesText = ({ testers }: Pick<Report, 'testers'>): string =>
  testers.length === 0 ? noTestersText : 'The devices are not kept.'

export const noNotesText = ({ checkInsKeptFrom }: Pick<Report, 'checkInsKeptFrom'>): string =>
  checkInsKeptFrom === null ? 'Nobody has left a note yet.' : deletedText(checkInsKeptFrom)
