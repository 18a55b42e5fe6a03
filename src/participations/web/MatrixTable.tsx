import { clsx } from 'clsx'
import { type KeyboardEvent, memo, type MouseEvent } from 'react'
import { Link } from 'react-router'
import type { Day, Instant } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import { useDrawn } from '../../kit/web/drawn.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { participationStatusLabels } from '../../campaigns/participationStatus.ts'
import { waitsForConsent } from '../consent.ts'
import type { CampaignTester } from '../contract.ts'
import { dropWords } from '../dropWords.ts'
import { MatrixLegend } from './MatrixLegend.tsx'
import { StatusAndNext } from './StatusAndNext.tsx'
import { type GridCell, cellWords, daysInRow, gridDays, gridRow, isOfTest, markWords } from './dayGrid.ts'
import { dayName } from './days.ts'
import { keepOneStop, moveInGrid, rememberStop } from './gridKeys.ts'
import { markLooks, markSigns } from './matrixLooks.ts'
import { deviceWords } from './statusWords.ts'
import { once } from '../../kit/once.ts'

type Props = {
  campaign: Campaign
  testers: readonly CampaignTester[]
  /** Whether the days go on until now. */
  running: boolean
  /** To the quarter of an hour, so that a grid of thousands of cells does not redraw every few seconds. */
  now: Instant
  onOpen: (id: string, day: Day | null) => void
}

const sticky = 'sticky left-0 z-10 bg-card'
const headLook = 'py-2 align-bottom text-xs font-medium whitespace-nowrap text-muted-foreground'
const cellLook = 'border-t py-1.5'

/** Scrolls to the newest days, which developers look for. */
const showNewest = (region: HTMLElement | null) => {
  if (region) region.scrollLeft = region.scrollWidth
}

/** Opens what was pressed: its row tells which tester, its cell which day. */
const openedBy = (event: MouseEvent | KeyboardEvent, onOpen: Props['onOpen']) => {
  const target = event.target instanceof Element ? event.target : null
  const id = target?.closest('tr')?.dataset.tester
  const cell = target?.closest<HTMLElement>('[data-day], [data-name]')
  if (!id || !cell) return
  event.preventDefault()
  onOpen(id, cell.dataset.day ?? null)
}

const rowsAtATime = 20

/** Testers × days. Scrolls sideways inside its card, with the names fixed; the arrow keys move in it. */
export const MatrixTable = ({ campaign: { title, startDate }, testers, running, now, onOpen }: Props) => {
  const days = gridDays(testers, { startDate: startDate ?? now, running }, now)
  const dayKey = days.join()
  const drawn = useDrawn(testers.length, rowsAtATime)
  return (
    <>
      {/* Positioned, or what is only for screen readers would widen the page. */}
      <div ref={showNewest} className="relative overflow-x-auto">
        <table
          // At every render: the row that had the stop may be gone.
          ref={grid => keepOneStop(grid)}
          // The arrow keys move in it, so a hundred rows are a single stop for Tab.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
          role="grid"
          onClick={event => openedBy(event, onOpen)}
          onKeyDown={event => {
            // Links and buttons open themselves.
            const isCell = event.target instanceof HTMLTableCellElement
            if (isCell && (event.key === 'Enter' || event.key === ' ')) openedBy(event, onOpen)
            else moveInGrid(event)
          }}
          onFocus={rememberStop}
          className="w-max min-w-full border-separate border-spacing-0"
        >
          <caption className="sr-only">Testers of {title} and their days</caption>
          <thead>
            <tr>
              <th scope="col" className={clsx(sticky, headLook, 'min-w-28 pr-3 pl-5 text-left md:min-w-44')}>
                Tester
              </th>
              <th scope="col" className={clsx(headLook, 'hidden px-3 text-left md:table-cell')}>
                Status
              </th>
              {days.map((day, index) => (
                <DayHead key={day} day={day} first={index === 0} />
              ))}
              <th scope="col" className={clsx(headLook, 'hidden w-full px-4 text-right md:table-cell')}>
                Days
              </th>
              <th scope="col" className={clsx(headLook, 'hidden pr-5 text-right md:table-cell')}>
                Review
              </th>
            </tr>
          </thead>
          <tbody>
            {testers.slice(0, drawn).map(tester => (
              <Row key={tester.id} tester={tester} dayKey={dayKey} now={now} />
            ))}
          </tbody>
        </table>
      </div>
      <MatrixLegend of={testers} now={now} />
    </>
  )
}

const month = once(() => new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' }))

const DayHead = ({ day, first }: { day: Day; first: boolean }) => {
  const ofMonth = Number(day.slice(8))
  return (
    <th scope="col" className="px-0.5 pt-2 pb-1 text-center text-xs font-normal text-muted-foreground tabular-nums">
      <span aria-hidden className="block h-4 w-6 whitespace-nowrap text-foreground">
        {(first || ofMonth === 1) && month().format(Date.parse(day))}
      </span>
      <span aria-hidden>{ofMonth}</span>
      <span className="sr-only">{dayName(day)}</span>
    </th>
  )
}

/** On a phone it has no column of its own. */
const statusLine = ({ status, dropReason, campaign }: CampaignTester) =>
  dropReason && dropReason !== 'LEFT'
    ? `Dropped: ${dropWords[dropReason](campaign.dropHours)}`
    : participationStatusLabels[status]

/** `dayKey`: the days as one string, so that a row is rendered again only when they change. */
const Row = memo(({ tester, dayKey, now }: { tester: CampaignTester; dayKey: string; now: Instant }) => {
  const { id, alias, status, atRisk, campaign, deviceInfo } = tester
  const row = gridRow(tester, dayKey.split(','), now)
  return (
    <tr data-tester={id}>
      <th scope="row" className={clsx(sticky, cellLook, 'pr-3 pl-5 text-left font-medium whitespace-nowrap')}>
        <button
          type="button"
          data-stop
          data-name
          tabIndex={-1}
          aria-haspopup="dialog"
          className="min-h-6 rounded-sm hover:underline"
        >
          {alias}
        </button>
        {/* In lines: a long reason would leave a phone no room for the days. */}
        <span className="block max-w-28 text-xs font-normal whitespace-normal text-muted-foreground md:hidden">
          {atRisk ? 'At risk' : statusLine(tester)}
        </span>
        <span className="hidden max-w-64 truncate text-xs font-normal text-muted-foreground md:block">
          {deviceWords(deviceInfo)}
        </span>
      </th>
      <td className={clsx(cellLook, 'hidden px-3 whitespace-nowrap md:table-cell')}>
        <StatusAndNext of={tester} />
      </td>
      {row.map(cell => (
        <Cell key={cell.day} cell={cell} />
      ))}
      <td
        className={clsx(
          cellLook,
          'hidden px-4 text-right whitespace-nowrap text-muted-foreground tabular-nums md:table-cell',
        )}
      >
        {daysInRow(row)} of {campaign.durationDays}
      </td>
      <td className={clsx(cellLook, 'hidden pr-5 text-right whitespace-nowrap md:table-cell')}>
        {status === 'SUBMITTED' && (
          <Link
            data-stop
            tabIndex={-1}
            to={paths.reviewOf(campaign.id, id)}
            className="font-medium text-link underline-offset-4 hover:underline"
          >
            {waitsForConsent(tester) ? 'See' : 'Review'}
            <span className="sr-only"> proof of {alias}</span>
          </Link>
        )}
      </td>
    </tr>
  )
})

const Cell = ({ cell }: { cell: GridCell }) => {
  const { day, mark, note } = cell
  const opens = isOfTest(cell)
  return (
    <td
      data-stop
      tabIndex={-1}
      {...(opens && { 'data-day': day, 'aria-haspopup': 'dialog' })}
      aria-label={note === null ? markWords[mark] : `${markWords[mark]}, “${note}”`}
      data-tip={cellWords(cell)}
      className={clsx(cellLook, 'px-0.5 focus-visible:-outline-offset-2', opens && 'cursor-pointer')}
    >
      <span
        aria-hidden
        className={clsx(
          'relative mx-auto grid size-6 place-items-center rounded-[5px] text-xs font-bold',
          markLooks[mark],
        )}
      >
        {markSigns[mark]}
        {note !== null && (
          <span className="absolute -top-0.5 -right-0.5 size-2 rounded-full border border-card bg-highlight" />
        )}
      </span>
    </td>
  )
}
