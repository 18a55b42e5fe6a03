/** The report as a table: one line for each recorded fact, so that it can be filtered in a spreadsheet. */
import { csvFile, type CsvRow } from '../kit/csv.ts'
import { centsToInput } from '../kit/money.ts'
import { retestWords, severityWords, statusWords } from '../bugs/rules.ts'
import { participationStatusLabels } from '../campaigns/participationStatus.ts'
import { campaignStatusLabels } from '../campaigns/terms.ts'
import type { Report } from './contract.ts'
import { accessWords, countriesOf, endingWords, howWords, leastVersionOf, withColon } from './words.ts'

const head: CsvRow = ['Section', 'Tester', 'Day or time', 'What', 'Value']

const termsOf = ({ campaign, clock, writtenAt }: Report): CsvRow[] => [
  ['Campaign', '', '', 'Title', campaign.title],
  ['Campaign', '', '', 'Status', campaignStatusLabels[campaign.status]],
  ['Campaign', '', '', 'Access', accessWords[campaign.accessMode]],
  ['Campaign', '', '', 'Seats', campaign.testersRequired],
  ['Campaign', '', '', 'Days', campaign.durationDays],
  ['Campaign', '', '', 'Pay per tester in dollars', centsToInput(campaign.payPerTesterCents)],
  ...countriesOf(campaign).map((country): CsvRow => ['Campaign', '', '', 'Open to', country]),
  ['Campaign', '', '', 'Oldest system version', leastVersionOf(campaign) ?? 'any'],
  ['Campaign', '', campaign.startDate, 'Started', ''],
  campaign.endedAt === null
    ? ['Campaign', '', campaign.endDate, 'Ends', '']
    : ['Campaign', '', campaign.endedAt, 'Ended', ''],
  ['Campaign', '', campaign.appliedAt, 'Applied for production access', ''],
  ['Campaign', '', writtenAt, 'Report written', ''],
  ['Clock', '', '', 'Opted in without a break', clock.unbrokenTesters],
  ['Clock', '', clock.earliestDate, 'Earliest date to apply', ''],
  ['Clock', '', '', `Days with ${clock.requiredTesters} or more at once`, clock.aggregateRunDays],
]

const testersOf = ({ testers }: Report): CsvRow[] =>
  testers.flatMap(
    ({ alias, joinedAt, status, dropped, byPlatform, device, runs, daysCheckedIn, features }): CsvRow[] => [
      ['Testers', alias, joinedAt, 'Joined', participationStatusLabels[status]],
      ...(dropped === null ? [] : [['Testers', alias, '', 'Dropped', dropped] as const]),
      ...(byPlatform ? [['Testers', alias, '', 'Verified', 'by the platform'] as const] : []),
      [
        'Testers',
        alias,
        '',
        'Device',
        device.model === null ? 'not kept' : [device.manufacturer, device.model].filter(Boolean).join(' '),
      ],
      ...(device.osVersion === null ? [] : [['Testers', alias, '', 'System version', device.osVersion] as const]),
      ...runs.flatMap((run): CsvRow[] => [
        ['Runs', alias, run.startedAt, run.contested ? 'Opted in (contested)' : 'Opted in', ''],
        ...(run.endedAt === null
          ? []
          : [['Runs', alias, run.endedAt, 'Run ended', run.ended === null ? '' : endingWords[run.ended]] as const]),
        ['Runs', alias, '', 'Whole days', run.days],
      ]),
      ['Testers', alias, '', 'Days checked in', daysCheckedIn],
      ...features.map((feature): CsvRow => ['Features', alias, '', 'Tried', feature]),
    ],
  )

const feedbackOf = (feedback: Report['feedback']): CsvRow[] =>
  feedback === null
    ? []
    : [
        ['Feedback', '', '', 'Testers who answered', feedback.answered],
        ...(feedback.sus ? [['Feedback', '', '', 'System Usability Scale', feedback.sus.score] as const] : []),
        ...feedback.questions.flatMap(({ text, mean, counts, quotations }): CsvRow[] => [
          ...(mean === null ? [] : [['Feedback', '', '', `${text} (mean)`, mean] as const]),
          ...counts.map(({ value, testers }): CsvRow => ['Feedback', '', '', `${withColon(text)} ${value}`, testers]),
          ...quotations.map(({ alias, text: said }): CsvRow => ['Feedback', alias, '', text, said]),
        ]),
      ]

const restOf = ({
  dropOuts,
  checkInsKeptFrom,
  engagement,
  bugs,
  feedback,
  changes,
  notes,
  answers,
}: Report): CsvRow[] => [
  ...dropOuts.flatMap(({ alias, at, how, replacedBy }): CsvRow[] => [
    ['Drop-outs', alias, at, howWords[how], ''],
    ...(replacedBy ? [['Drop-outs', replacedBy.alias, replacedBy.joinedAt, 'Took the seat of', alias] as const] : []),
  ]),
  ...(checkInsKeptFrom === null ? [] : [['Engagement', '', checkInsKeptFrom, 'Kept from', ''] as const]),
  ...engagement.flatMap(({ day, checkIns, minutes }): CsvRow[] => [
    ['Engagement', '', day, 'Check-ins', checkIns],
    ...(minutes === null ? [] : [['Engagement', '', day, 'Minutes', minutes] as const]),
  ]),
  ...bugs.flatMap(({ number, title, alias, severity, status, fixedIn, duplicateOf, reportedAt, retest }): CsvRow[] => [
    ['Bugs', alias, reportedAt, `#${number} ${title}`, statusWords[status]],
    ['Bugs', alias, '', `#${number} severity`, severityWords[severity]],
    ...(duplicateOf === null ? [] : [['Bugs', alias, '', `#${number} duplicate of`, duplicateOf] as const]),
    ...(fixedIn === null ? [] : [['Bugs', alias, '', `#${number} fixed in`, fixedIn] as const]),
    ...(retest === null ? [] : [['Bugs', alias, '', `#${number} tested again`, retestWords[retest]] as const]),
  ]),
  ...feedbackOf(feedback),
  ...changes.flatMap(({ version, publishedAt, text, bugs: answered, feedback: quotes }): CsvRow[] => [
    ['Changes', '', publishedAt, version, text],
    ...answered.map((number): CsvRow => ['Changes', '', '', `${version} addresses`, `#${number}`]),
    ...quotes.map(({ alias, quote }): CsvRow => ['Changes', alias, '', `${version} addresses`, quote]),
  ]),
  ...notes.map(({ alias, day, note }): CsvRow => ['Notes', alias, day, 'Check-in note', note]),
  ...answers.flatMap(({ question, draft }): CsvRow[] => (draft === null ? [] : [['Answers', '', '', question, draft]])),
]

export const reportCsv = (report: Report): string =>
  csvFile([head, ...termsOf(report), ...testersOf(report), ...restOf(report)])
