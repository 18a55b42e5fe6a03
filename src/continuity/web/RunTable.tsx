import { clsx } from 'clsx'
import { useState } from 'react'
import type { Instant } from '../../kit/clock.ts'
import { listPlaceOf } from '../../campaigns/listPlace.ts'
import { useNow } from '../../kit/web/now.ts'
import { counted } from '../../kit/words.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { Continuity, TesterRun } from '../contract.ts'
import { RunBar } from './RunBar.tsx'
import { type Axis, axisOf, inOrder } from './timeline.ts'
import { soonestDate } from '../words.ts'
import { costWords, dayWords, endingWords, notBegunOf, whyNotBegun } from './words.ts'

const head = 'px-5 py-2 text-left text-xs font-medium text-muted-foreground'

/** Each tester's run as a bar, all on one axis of time; the same in words for screen readers. */
export const RunTable = ({ clock, ended }: { clock: Continuity; ended: boolean }) => {
  const now = useNow()
  const axis = axisOf(clock, now)
  const [all, setAll] = useState(false)
  // Those who have not begun would be a row each of the same words.
  const notBegun = clock.testers.filter(({ optedInAt }) => optedInAt === null)
  const testers = inOrder(clock.testers).filter(({ optedInAt }) => optedInAt !== null)
  const isSetter = (tester: TesterRun, index: number) => tester.counts && index === clock.requiredTesters - 1
  const plain = testers.filter((tester, index) => !isSetter(tester, index) && isPlain(tester)).length
  const folds = plain > mostPlain
  return (
    <div className="border-t">
      <table className="block w-full sm:table">
        <caption className="sr-only">When each tester opted in</caption>
        <thead className={testers.length === 0 ? 'sr-only' : 'sr-only sm:not-sr-only sm:table-header-group'}>
          <tr>
            <th scope="col" className={head}>
              Tester
            </th>
            <th scope="col" className={clsx(head, 'w-full')}>
              Opted in
            </th>
            <th scope="col" className={clsx(head, 'hidden text-right whitespace-nowrap md:table-cell')}>
              If they stop today
            </th>
          </tr>
        </thead>
        <tbody className="block sm:table-row-group">
          {testers.map((tester, index) => (
            <Row
              key={tester.id}
              tester={tester}
              // The 12th-oldest of those that count sets the date.
              setsDate={isSetter(tester, index)}
              folded={folds && !all && !isSetter(tester, index) && isPlain(tester)}
              clock={clock}
              ended={ended}
              axis={axis}
              now={now}
            />
          ))}
          {notBegun.length > 0 && <NotBegun testers={notBegun} mode={clock.accessMode} />}
        </tbody>
      </table>
      {folds && (
        <div className="border-t p-3 text-center sm:hidden">
          <Button variant="outline" size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show ${plain} more without a break`}
          </Button>
        </div>
      )}
      {testers.length > 0 && <Legend clock={clock} now={now} />}
    </div>
  )
}

/** On a phone, so many rows that say nothing special still stand there. */
const mostPlain = 4

/** Goes on as it should. */
const isPlain = ({ counts, atRisk, accountDeleted, sharesAccountWith }: TesterRun) =>
  counts && !atRisk && !accountDeleted && !sharesAccountWith?.length

const NotBegun = ({ testers, mode }: { testers: readonly TesterRun[]; mode: Continuity['accessMode'] }) => {
  const groups = Map.groupBy(testers, tester => whyNotBegun(tester, mode))
  return notBegunOf(mode).map(words => {
    const those = groups.get(words)
    return (
      those && (
        <tr key={words} className="block border-t px-5 py-2.5 first:border-t-0 sm:table-row sm:[&>*]:border-t">
          <td colSpan={3} className="block sm:table-cell sm:px-5 sm:py-2.5">
            <span className="font-medium">{words}:</span>{' '}
            <span className="text-muted-foreground">{those.map(({ alias }) => alias).join(', ')}</span>
          </td>
        </tr>
      )
    )
  })
}

type RowProps = {
  tester: TesterRun
  setsDate: boolean
  /** Not drawn on a phone, where a row takes four lines. */
  folded: boolean
  clock: Continuity
  /** The campaign, after which nobody takes a seat. */
  ended: boolean
  axis: Axis
  now: Instant
}

const Row = ({ tester, setsDate, folded, clock, ended, axis, now }: RowProps) => (
  <tr
    className={clsx(
      'border-t px-5 py-2.5 first:border-t-0 sm:table-row sm:px-0 sm:py-0 sm:[&>*]:border-t',
      folded ? 'hidden' : 'block',
    )}
  >
    <th scope="row" className="block text-left font-medium whitespace-nowrap sm:table-cell sm:py-2.5 sm:pr-3 sm:pl-5">
      <span className="flex flex-wrap items-center gap-2">
        {tester.alias}
        <Marks tester={tester} mode={clock.accessMode} />
      </span>
    </th>
    <td className="block pt-1.5 sm:table-cell sm:px-5 sm:py-2.5 sm:align-middle">
      <RunBar tester={tester} clock={clock} axis={axis} now={now} />
      <span className="mt-1 block text-xs text-muted-foreground">
        <RunWords tester={tester} setsDate={setsDate} />
        {tester.counts && clock.earliestDate !== null && (
          <span className="md:hidden">
            {' '}
            If they stop: <Cost tester={tester} clock={clock} ended={ended} now={now} />.
          </span>
        )}
      </span>
    </td>
    <td className="hidden py-2.5 pr-5 text-right align-middle whitespace-nowrap md:table-cell">
      {tester.counts ? (
        <Cost tester={tester} clock={clock} ended={ended} now={now} />
      ) : (
        <span className="sr-only">Does not count</span>
      )}
    </td>
  </tr>
)

const Cost = ({ tester, clock, ended, now }: Pick<RowProps, 'tester' | 'clock' | 'ended' | 'now'>) => {
  const { earliestDate } = clock
  const { earliestDateWithout } = tester
  if (earliestDate === null) return <span className="text-muted-foreground">no date either way</span>
  if (earliestDateWithout === earliestDate) return <span className="text-muted-foreground">no change</span>
  const replaced = ended ? 'no date' : `${soonestDate(clock, now)} if replaced`
  return (
    <span data-tip={costWords(tester, clock, now, ended)}>
      {earliestDateWithout === null ? replaced : dayWords(earliestDateWithout, now)}
    </span>
  )
}

type MarksProps = { tester: TesterRun; mode: Continuity['accessMode'] }

const Marks = ({ tester: { atRisk, accountDeleted, contested, ended, dropped }, mode }: MarksProps) => (
  <>
    {accountDeleted && ended === null && (
      <>
        <Badge tone="yellow">Account deleted</Badge>
        <span className="text-xs text-muted-foreground">still {listPlaceOf(mode).inside}</span>
      </>
    )}
    {atRisk && <Badge tone="yellow">At risk</Badge>}
    {contested && ended === null && <Badge tone="violet">Contested</Badge>}
    {ended && <Badge tone="gray">{endingWords[ended]}</Badge>}
    {ended === 'DROPPED' && dropped && <span className="text-xs text-muted-foreground">{dropped}</span>}
  </>
)

const RunWords = ({ tester, setsDate }: { tester: TesterRun; setsDate: boolean }) => {
  const { optedInAt, optedOutAt, confirmedAt, runDays, contested, sharesAccountWith } = tester
  if (optedInAt === null) return null
  if (optedOutAt !== null) {
    return (
      <>
        {counted(runDays, 'day')}, until <DateTime at={optedOutAt} />. Opting in again starts at day 1.
      </>
    )
  }
  return (
    <>
      {counted(runDays, 'full day')} since <DateTime at={optedInAt} />
      {confirmedAt && (
        <>
          , confirmed <RelativeTime at={confirmedAt} />
        </>
      )}
      .{setsDate && <span className="font-medium text-foreground"> Sets the date.</span>}
      {sharesAccountWith?.length > 0 &&
        ` Same Google account as ${sharesAccountWith.join(', ')}: Google Play counts it once.`}
      {contested && (
        <>
          {' '}
          Contested <RelativeTime at={contested.since} />: does not count until cleared; once cleared, it counts from
          its start.
        </>
      )}
    </>
  )
}

const Legend = ({ clock, now }: { clock: Continuity; now: Instant }) => (
  <ul aria-hidden className="flex flex-wrap gap-x-5 gap-y-1 border-t px-5 py-2.5 text-xs text-muted-foreground">
    <Key look="h-2 w-4 rounded-full bg-primary">Opted in</Key>
    <Key look="h-2 w-4 rounded-full bg-primary/20">To day {clock.requiredDays}</Key>
    <Key look="h-2 w-4 rounded-full bg-[repeating-linear-gradient(135deg,var(--input)_0_4px,transparent_4px_8px)]">
      Does not count
    </Key>
    <Key look="h-3 w-0.5 bg-foreground">Now</Key>
    {clock.earliestDate !== null && clock.earliestAt !== null && clock.earliestAt > now && (
      <Key look="h-3 w-0.5 bg-highlight">{dayWords(clock.earliestDate, now)}</Key>
    )}
  </ul>
)

const Key = ({ look, children }: { look: string; children: React.ReactNode }) => (
  <li className="flex items-center gap-2">
    <span className={look} /> {children}
  </li>
)
