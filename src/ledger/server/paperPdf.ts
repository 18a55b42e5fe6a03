/**
 * Draws a paper as a PDF: A4, with its own font, one page after the other as it is read, so that a long paper takes no more memory
 * than a short one.
 */
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import PdfDocument from 'pdfkit'
import type { Instant } from '../../kit/clock.ts'
import { fonts, legible } from '../../kit/server/legible.ts'
import { testModeNote } from '../paperWords.ts'

type Document = InstanceType<typeof PdfDocument>

type Fact = { label: string; value: string; strong?: boolean }

/** A cell, possibly with a second line, small and gray. */
export type Cell = string | { text: string; below: string }

type Column = { head: string; width: number; align?: 'right' }

type Table = { heading: string | null; columns: readonly Column[]; rows: AsyncIterable<Cell[][]>; none: string }

export type Paper = {
  title: string
  number: string
  writtenAt: Instant
  isTest: boolean
  /** For example, whose paper it is. */
  facts: readonly Fact[]
  /** Amounts; the last is usually their sum. */
  sums: readonly Fact[]
  tables: readonly Table[]
  notes: readonly string[]
}

const ink = '#1c1f1b'
const gray = '#5d625a'
const line = '#d6d9d2'
const brand = '#0e5a4a'
const margin = 50
const width = 495
const foot = 70

const spelledOut =
  'Characters missing from this document’s font are transliterated into Latin letters; the pages on screen show the originals.'

/** `spelled`: whether a letter that the font lacks had to be spelled out. */
type Writer = { pdf: Document; paper: Paper; spelled: boolean; page: number }

const shown = (writer: Writer, text: string): string => {
  const drawn = legible(text)
  if (drawn !== text.normalize('NFC')) writer.spelled = true
  return drawn
}

type Place = { x: number; y: number; width: number; align?: 'left' | 'right' | 'center' }

const put = ({ pdf }: Writer, text: string, { x, y, ...options }: Place) => {
  pdf.text(text, x, y, options)
}

const small = (pdf: Document) => pdf.font('regular').fontSize(8).fillColor(gray)
const body = (pdf: Document) => pdf.font('regular').fontSize(9.5).fillColor(ink)

/** Below the margin, where a page would otherwise end. */
const footer = (writer: Writer) => {
  const { pdf, paper } = writer
  writer.page++
  const { bottom } = pdf.page.margins
  pdf.page.margins.bottom = 0
  small(pdf)
  const y = pdf.page.height - 42
  put(writer, `${paper.title} ${paper.number}`, { x: margin, y, width: 300 })
  if (paper.isTest) put(writer, 'TEST MODE', { x: margin + 300, y, width: 95, align: 'center' })
  put(writer, `Page ${writer.page}`, { x: margin + 395, y, width: 100, align: 'right' })
  pdf.page.margins.bottom = bottom
  body(pdf)
  pdf.x = margin
  pdf.y = margin
}

const roomFor = (writer: Writer, height: number): boolean => writer.pdf.y + height <= writer.pdf.page.height - foot

/** Begins a new page if less than this height is left, and returns whether it did. */
const keepTogether = (writer: Writer, height: number): boolean => {
  if (roomFor(writer, height)) return false
  writer.pdf.addPage()
  return true
}

const rule = ({ pdf }: Writer) => {
  pdf
    .moveTo(margin, pdf.y)
    .lineTo(margin + width, pdf.y)
    .lineWidth(0.5)
    .strokeColor(line)
    .stroke()
}

const head = (writer: Writer) => {
  const { pdf, paper } = writer
  pdf.font('bold').fontSize(14).fillColor(brand)
  put(writer, 'Fieldtest', { x: margin, y: margin, width: 200 })
  if (paper.isTest) {
    pdf.roundedRect(margin + width - 82, margin - 3, 82, 20, 4).fill('#fdf0c4')
    pdf.font('bold').fontSize(9).fillColor('#6b4a00')
    put(writer, 'TEST MODE', { x: margin + width - 82, y: margin + 2, width: 82, align: 'center' })
  }
  pdf.font('bold').fontSize(20).fillColor(ink)
  put(writer, paper.title, { x: margin, y: margin + 34, width })
  body(pdf)
  pdf.y += 10
}

/** Labels on the left; values beside them or, for amounts, on the right. */
const facts = (writer: Writer, rows: readonly Fact[], align: 'left' | 'right') => {
  const { pdf } = writer
  for (const { label, value, strong } of rows) {
    const text = shown(writer, value)
    const places = align === 'right' ? { label: 330, value: 155 } : { label: 130, value: 355 }
    pdf.font(strong ? 'bold' : 'regular').fontSize(strong ? 11 : 9.5)
    const options = { width: places.value, align }
    const height = Math.max(pdf.heightOfString(text, options), pdf.heightOfString(label, { width: places.label }))
    keepTogether(writer, height + 10)
    const { y } = pdf
    pdf.font(strong ? 'bold' : 'regular').fontSize(strong ? 11 : 9.5)
    pdf.fillColor(strong ? ink : gray)
    put(writer, label, { x: margin, y, width: places.label })
    pdf.fillColor(ink)
    put(writer, text, { x: margin + width - places.value, y, ...options })
    pdf.y = y + height + 4
    rule(writer)
    pdf.y += 4
  }
  body(pdf)
}

const partsOf = (cell: Cell) => (typeof cell === 'string' ? { text: cell, below: '' } : cell)

const gap = 8

/** The gap goes on the side opposite to the alignment of the text. */
const placeIn = ({ width: columnWidth, align }: Column, x: number) => ({
  x: align === 'right' ? x + gap : x,
  width: columnWidth - gap,
  align: align ?? ('left' as const),
})

type Measured = { text: string; below: string; height: number; belowHeight: number; column: Column }

const measured = (writer: Writer, row: readonly Cell[], columns: readonly Column[]): Measured[] => {
  const { pdf } = writer
  return columns.map((column, index) => {
    const parts = partsOf(row[index] ?? '')
    const text = shown(writer, parts.text)
    const below = shown(writer, parts.below)
    const options = { width: column.width - gap }
    pdf.fontSize(9)
    const height = text === '' ? 0 : pdf.heightOfString(text, options)
    pdf.fontSize(7.5)
    return { text, below, height, belowHeight: below === '' ? 0 : pdf.heightOfString(below, options), column }
  })
}

const tableHead = (writer: Writer, columns: readonly Column[]) => {
  const { pdf } = writer
  const { y } = pdf
  pdf.font('bold').fontSize(8).fillColor(gray)
  let x = margin
  for (const column of columns) {
    put(writer, column.head, { ...placeIn(column, x), y })
    x += column.width
  }
  pdf.y = y + 13
  rule(writer)
  pdf.y += 5
  body(pdf)
}

const tableRow = (writer: Writer, row: readonly Cell[], columns: readonly Column[]) => {
  const { pdf } = writer
  const cells = measured(writer, row, columns)
  const height = Math.max(...cells.map(cell => cell.height + cell.belowHeight))
  if (keepTogether(writer, height + 8)) tableHead(writer, columns)
  const { y } = pdf
  let x = margin
  for (const { text, below, height: top, column } of cells) {
    const place = placeIn(column, x)
    pdf.fontSize(9).fillColor(ink)
    if (text !== '') put(writer, text, { ...place, y })
    pdf.fontSize(7.5).fillColor(gray)
    if (below !== '') put(writer, below, { ...place, y: y + top })
    x += column.width
  }
  pdf.y = y + height + 4
  rule(writer)
  pdf.y += 4
  body(pdf)
}

/** A row takes one or two milliseconds. */
const rowsPerTurn = 20

async function* table(writer: Writer, { heading, columns, rows, none }: Table): AsyncGenerator<void> {
  const { pdf } = writer
  keepTogether(writer, 90)
  pdf.y += 12
  if (heading !== null) {
    pdf.font('bold').fontSize(12).fillColor(ink)
    put(writer, heading, { x: margin, y: pdf.y, width })
    pdf.y += 4
  }
  let empty = true
  let count = 0
  for await (const some of rows) {
    for (const row of some) {
      if (empty) tableHead(writer, columns)
      empty = false
      tableRow(writer, row, columns)
      if (++count % rowsPerTurn === 0) yield
    }
    yield
  }
  if (empty) {
    body(pdf).fillColor(gray)
    put(writer, none, { x: margin, y: pdf.y, width })
  }
}

const notes = (writer: Writer, texts: readonly string[]) => {
  const { pdf } = writer
  pdf.y += 12
  for (const text of texts) {
    small(pdf)
    keepTogether(writer, pdf.heightOfString(text, { width }) + 4)
    small(pdf)
    put(writer, text, { x: margin, y: pdf.y, width })
    pdf.y += 3
  }
}

async function* written(writer: Writer): AsyncGenerator<void> {
  const { pdf, paper } = writer
  pdf.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold)
  pdf.on('pageAdded', () => footer(writer))
  pdf.addPage()
  head(writer)
  facts(writer, [{ label: 'Number', value: paper.number }, ...paper.facts], 'left')
  pdf.y += 10
  facts(writer, paper.sums, 'right')
  yield
  for (const each of paper.tables) yield* table(writer, each)
  notes(writer, [...paper.notes, ...(paper.isTest ? [testModeNote] : []), ...(writer.spelled ? [spelledOut] : [])])
}

/** Yields the PDF in pieces; each is made once the previous one has been taken. */
export async function* paperPdf(paper: Paper): AsyncGenerator<Uint8Array> {
  const { title, number, writtenAt } = paper
  const pdf = new PdfDocument({
    size: 'A4',
    margin,
    lang: 'en-US',
    displayTitle: true,
    autoFirstPage: false,
    info: { Title: `${title} ${number}`, Author: 'Fieldtest', CreationDate: new Date(Date.parse(writtenAt)) },
  })
  let pieces: Uint8Array[] = []
  pdf.on('data', (piece: Uint8Array) => pieces.push(piece))
  const taken = () => {
    const made = pieces
    pieces = []
    return made
  }
  for await (const _ of written({ pdf, paper, spelled: false, page: 0 })) {
    // Lets other requests run between the pages of a long paper.
    await turn()
    yield* taken()
  }
  const ended = once(pdf, 'end')
  pdf.end()
  await ended
  yield* taken()
}
