import type { ReactNode } from 'react'
import { formatCents } from '../../kit/money.ts'
import { counted } from '../../kit/words.ts'
import { DescriptionList } from '../../kit/web/ui/Card.tsx'
import type { Report } from '../contract.ts'
import type { FactName } from '../terms.ts'
import {
  bugText,
  changeText,
  datesOf,
  dayText,
  deletedText,
  deviceText,
  dropOutText,
  feedbackLines,
  noCheckInsText,
  noDevicesText,
  noNotesText,
  noTestersText,
  readingText,
  runText,
  systemText,
  withColon,
} from '../words.ts'
import { Answers } from './Answers.tsx'

const frame =
  'min-w-0 scroll-mt-20 rounded-xl border bg-card p-5 shadow-card print:rounded-none print:border-0 print:border-t print:p-0 print:pt-4 print:shadow-none'

/** The drafts link to these anchors, which are named after the facts. */
const Section = ({
  id,
  title,
  children,
}: {
  id: FactName | 'answers' | 'notes'
  title: string
  children: ReactNode
}) => (
  <section id={id} aria-labelledby={`${id}-title`} className={frame}>
    <h2 id={`${id}-title`} className="mb-3 text-base font-semibold print:break-after-avoid">
      {title}
    </h2>
    {children}
  </section>
)

export const ReportSheet = ({ report }: { report: Report }) => (
  <div className="grid max-w-4xl gap-5">
    <Section id="terms" title="Terms and dates">
      <DescriptionList
        stacked
        items={[...datesOf(report), { label: 'Pay per tester', value: formatCents(report.campaign.payPerTesterCents) }]}
      />
      {report.campaign.accessMode !== 'OPEN_LINK' && (
        <p className="mt-4 max-w-prose text-muted-foreground">{readingText(report)}</p>
      )}
    </Section>
    <Section id="answers" title="Answers for the production access form">
      <Answers report={report} />
    </Section>
    <Section id="runs" title="Testers and their runs">
      <Testers report={report} />
    </Section>
    <Section id="dropOuts" title="Drop-outs and replacements">
      <Lines of={report.dropOuts.map(dropOut => ({ key: dropOut.id, text: dropOutText(dropOut) }))}>
        Nobody has given up a seat.
      </Lines>
    </Section>
    <Section id="engagement" title="Engagement per day">
      <Engagement report={report} />
    </Section>
    {report.features.length > 0 && (
      <Section id="features" title="Features tried">
        <Lines
          of={report.features.map(({ feature, testers }) => ({
            key: feature,
            text: `${withColon(feature)} ${testers.length === 0 ? 'nobody' : `${counted(testers.length, 'tester')} (${testers.join(', ')})`}`,
          }))}
        />
      </Section>
    )}
    <Section id="devices" title="Devices and system versions">
      <Lines
        of={[
          ...report.devices.map(({ device, testers }) => ({
            key: `device ${device}`,
            text: `${device}: ${counted(testers, 'tester')}`,
          })),
          ...report.osVersions.map(({ version, testers }) => ({
            key: `version ${version}`,
            text: `${systemText(report.campaign, version)}: ${counted(testers, 'tester')}`,
          })),
        ]}
      >
        {noDevicesText(report)}
      </Lines>
    </Section>
    {report.bugs.length > 0 && (
      <Section id="bugs" title="Bugs that testers reported">
        <Lines of={report.bugs.map(bug => ({ key: String(bug.number), text: bugText(bug) }))} />
      </Section>
    )}
    {report.feedback && (
      <Section id="feedback" title="Feedback form">
        <Lines of={feedbackLines(report.feedback).map((text, index) => ({ key: String(index), text }))} />
      </Section>
    )}
    {report.changes.length > 0 && (
      <Section id="changes" title="Changes to the app">
        <Lines
          of={report.changes.map((change, index) => ({ key: `${change.version} ${index}`, text: changeText(change) }))}
        />
      </Section>
    )}
    <Section id="notes" title="Check-in notes">
      <Notes report={report} />
    </Section>
  </div>
)

/** `children` are shown if the list is empty. */
const Lines = ({ of: lines, children }: { of: { key: string; text: string }[]; children?: ReactNode }) =>
  lines.length === 0 ? (
    <p className="text-muted-foreground">{children}</p>
  ) : (
    <ul className="grid gap-1.5 wrap-anywhere">
      {lines.map(({ key, text }) => (
        <li key={key}>{text}</li>
      ))}
    </ul>
  )

const Testers = ({ report: { testers, campaign } }: { report: Report }) => {
  if (testers.length === 0) return <p className="text-muted-foreground">{noTestersText}</p>
  return (
    <ul className="divide-y">
      {testers.map(tester => (
        <li key={tester.id} className="py-2 first:pt-0 last:pb-0 print:break-inside-avoid">
          <p className="wrap-anywhere">
            <span className="font-medium">{tester.alias}</span>{' '}
            <span className="text-muted-foreground">{deviceText(tester, campaign)}</span>
          </p>
          {tester.runs.map(run => (
            <p key={run.startedAt}>Opted in {runText(run)}</p>
          ))}
          {tester.dropped && <p>Dropped: {tester.dropped}</p>}
          {tester.byPlatform && <p>Verified by the platform</p>}
          {tester.runs.length === 0 && campaign.accessMode !== 'OPEN_LINK' && <p>Never opted in</p>}
          <p className="text-muted-foreground wrap-anywhere">
            Joined {dayText(tester.joinedAt)}, checked in on {counted(tester.daysCheckedIn, 'day')}
            {tester.features.length > 0 && `, tried ${tester.features.join(', ')}`}
          </p>
        </li>
      ))}
    </ul>
  )
}

const Engagement = ({ report }: { report: Report }) => (
  <div className="grid gap-3">
    {report.checkInsKeptFrom !== null && (
      <p className="text-muted-foreground">{deletedText(report.checkInsKeptFrom)}</p>
    )}
    <EngagementTable report={report} />
  </div>
)

const EngagementTable = ({ report: { engagement, checkInsKeptFrom } }: { report: Report }) => {
  if (engagement.length === 0)
    return checkInsKeptFrom === null && <p className="text-muted-foreground">{noCheckInsText}</p>
  const most = Math.max(...engagement.map(({ checkIns }) => checkIns))
  const withMinutes = engagement.some(({ minutes }) => minutes !== null)
  return (
    <table className="w-full">
      <caption className="sr-only">Check-ins on each day</caption>
      <thead className="text-xs text-muted-foreground">
        <tr>
          <th scope="col" className="py-1 pr-3 text-left font-medium">
            Day
          </th>
          <th scope="col" className="py-1 pr-3 text-right font-medium whitespace-nowrap">
            Check-ins
          </th>
          {withMinutes && (
            <th scope="col" className="py-1 pr-3 text-right font-medium">
              Minutes
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {engagement.map(({ day, checkIns, minutes }) => (
          <tr key={day} className="border-t">
            <th scope="row" className="py-1 pr-3 text-left font-normal whitespace-nowrap">
              {dayText(day)}
            </th>
            <td className="py-1 pr-3 text-right tabular-nums">{checkIns}</td>
            {withMinutes && <td className="py-1 pr-3 text-right tabular-nums">{minutes ?? '–'}</td>}
            <td aria-hidden className="w-full py-1">
              <span className="block h-2 rounded-full bg-primary" style={{ width: `${(checkIns / most) * 100}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Notes = ({ report }: { report: Report }) => {
  const { notes } = report
  if (notes.length === 0) return <p className="text-muted-foreground">{noNotesText(report)}</p>
  return (
    <ul className="grid gap-3">
      {notes.map(({ alias, day, note }) => (
        <li key={`${alias} ${day}`} className="print:break-inside-avoid">
          <figure>
            <blockquote className="border-l-2 pl-3 whitespace-pre-line wrap-anywhere">{note}</blockquote>
            <figcaption className="pl-3.5 text-xs text-muted-foreground">
              {alias}, {dayText(day)}
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  )
}
