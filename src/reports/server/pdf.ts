/** The report as a PDF with a font of its own, since the standard PDF fonts lack letters such as Ł and ş. */
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import PdfDocument from 'pdfkit'
import { formatCents } from '../../kit/money.ts'
import { counted } from '../../kit/words.ts'
import type { Report } from '../contract.ts'
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
  noDraftText,
  notForTheForm,
  noNotesText,
  noTestersText,
  readingText,
  runText,
  systemText,
  withColon,
} from '../words.ts'
import { fonts, legible } from '../../kit/server/legible.ts'

type Document = InstanceType<typeof PdfDocument>

/** Begins a new page if fewer points than that are left of this one. */
const keepTogether = (pdf: Document, points: number) => {
  if (pdf.y > pdf.page.height - points) pdf.addPage()
}

const heading = (pdf: Document, text: string) => {
  // Keeps the heading from standing alone at the foot of a page.
  keepTogether(pdf, 140)
  pdf.moveDown(1).font('bold').fontSize(13).text(text).moveDown(0.3).font('regular').fontSize(9.5)
}

/** Other requests get their turn after this many lines: a report may have thousands. */
const linesPerTurn = 50

const lines = async (pdf: Document, texts: readonly string[]): Promise<void> => {
  for (const [index, text] of texts.entries()) {
    pdf.text(text, { paragraphGap: 2 })
    if (index % linesPerTurn === linesPerTurn - 1) await turn()
  }
}

/** Facts in two columns: the label, then the value. */
const facts = (pdf: Document, rows: readonly { label: string; value: string }[]) => {
  for (const { label, value } of rows) {
    pdf
      .fillColor('#5d625a')
      .text(`${label}: `, { continued: true })
      .fillColor('#1c1f1b')
      .text(value, { paragraphGap: 2 })
  }
}

/** Draws at least one sentence below a heading. */
const linesOr = (pdf: Document, texts: readonly string[], none: string): Promise<void> =>
  lines(pdf, texts.length === 0 ? [none] : texts)

const testersIn = async (pdf: Document, { testers, campaign }: Report): Promise<void> => {
  if (testers.length === 0) return lines(pdf, [noTestersText])
  for (const tester of testers) {
    keepTogether(pdf, 120)
    pdf
      .font('bold')
      .text(tester.alias, { continued: true })
      .font('regular')
      .text(`, ${deviceText(tester, campaign)}`)
    const opted = tester.runs.map(run => `Opted in ${runText(run)}.`)
    const tried = tester.features.length > 0 ? [`Tried: ${tester.features.join(', ')}.`] : []
    const ended = [
      ...(tester.dropped === null ? [] : [`Dropped: ${tester.dropped}.`]),
      ...(tester.byPlatform ? ['Verified by the platform.'] : []),
    ]
    await lines(pdf, [...opted, ...ended, `Checked in on ${counted(tester.daysCheckedIn, 'day')}.`, ...tried])
    pdf.moveDown(0.3)
    await turn()
  }
}

const answersIn = (pdf: Document, report: Report) => {
  const note = notForTheForm(report)
  if (note !== null) pdf.text(note, { paragraphGap: 2 }).moveDown(0.5)
  for (const { key, question, draft, characters, mostCharacters } of report.answers) {
    keepTogether(pdf, 140)
    pdf.font('bold').text(question).font('regular')
    pdf.text(draft ?? noDraftText(key, report), { paragraphGap: 1 })
    if (draft !== null) pdf.fillColor('#5d625a').fontSize(8).text(`${characters} of ${mostCharacters} characters`)
    pdf.fillColor('#1c1f1b').fontSize(9.5).moveDown(0.5)
  }
}

const withTesters = (name: string, count: number) => `${name}: ${counted(count, 'tester')}`

const sectionsOf = (report: Report): { title: string; write: (pdf: Document) => Promise<void> | void }[] => {
  const { dropOuts, engagement, features, devices, osVersions, bugs, feedback, changes, notes, campaign } = report
  return [
    {
      title: 'Terms and dates',
      write: pdf => {
        facts(pdf, [...datesOf(report), { label: 'Pay per tester', value: formatCents(campaign.payPerTesterCents) }])
        if (campaign.accessMode !== 'OPEN_LINK') pdf.moveDown(0.4).text(readingText(report))
      },
    },
    { title: 'Answers for the form', write: pdf => answersIn(pdf, report) },
    { title: 'Testers and their runs', write: pdf => testersIn(pdf, report) },
    ...(dropOuts.length > 0
      ? [{ title: 'Drop-outs and replacements', write: (pdf: Document) => lines(pdf, dropOuts.map(dropOutText)) }]
      : []),
    {
      title: 'Engagement per day',
      write: pdf =>
        linesOr(
          pdf,
          [
            ...(report.checkInsKeptFrom === null ? [] : [deletedText(report.checkInsKeptFrom)]),
            ...engagement.map(
              ({ day, checkIns, minutes }) =>
                `${dayText(day)}: ${counted(checkIns, 'check-in')}${minutes === null ? '' : `, ${counted(minutes, 'minute')}`}`,
            ),
          ],
          noCheckInsText,
        ),
    },
    ...(features.length > 0
      ? [
          {
            title: 'Features',
            write: (pdf: Document) =>
              lines(
                pdf,
                features.map(({ feature, testers }) => `${withColon(feature)} ${testers.join(', ') || 'nobody'}`),
              ),
          },
        ]
      : []),
    {
      title: 'Devices and system versions',
      write: pdf =>
        linesOr(
          pdf,
          [
            ...devices.map(({ device, testers }) => withTesters(device, testers)),
            ...osVersions.map(({ version, testers }) => withTesters(systemText(campaign, version), testers)),
          ],
          noDevicesText(report),
        ),
    },
    ...(bugs.length > 0 ? [{ title: 'Bugs', write: (pdf: Document) => lines(pdf, bugs.map(bugText)) }] : []),
    ...(feedback ? [{ title: 'Feedback form', write: (pdf: Document) => lines(pdf, feedbackLines(feedback)) }] : []),
    ...(changes.length > 0
      ? [{ title: 'Changes', write: (pdf: Document) => lines(pdf, changes.map(changeText)) }]
      : []),
    {
      title: 'Check-in notes',
      write: pdf =>
        linesOr(
          pdf,
          notes.map(({ alias, day, note }) => `${alias}, ${dayText(day)}: “${note}”`),
          noNotesText(report),
        ),
    },
  ]
}

const zones = 'Dates and times are in UTC; check-ins and their notes have the day of each tester’s own time zone.'

const spelledOut =
  'Characters missing from this document’s font are transliterated into Latin letters; the page and the CSV show the originals.'

export const reportPdf = async (written: Report): Promise<Buffer> => {
  const report = legible(written)
  const { title } = report.campaign
  const pdf = new PdfDocument({ size: 'A4', margin: 50, lang: 'en-US', info: { Title: `Report: ${title}` } })
  const whole = buffer(pdf)
  pdf.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold)
  pdf.fillColor('#1c1f1b').font('bold').fontSize(20).text(title)
  pdf.font('regular').fontSize(9.5).text(`Report of a test on Fieldtest. ${zones}`)
  if (JSON.stringify(report) !== JSON.stringify(written).normalize('NFC')) pdf.text(spelledOut)
  for (const { title: section, write } of sectionsOf(report)) {
    heading(pdf, section)
    await write(pdf)
  }
  pdf.end()
  return whole
}
