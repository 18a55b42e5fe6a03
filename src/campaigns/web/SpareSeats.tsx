import { clsx } from 'clsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { type BasisPoints, formatRate } from '../../kit/money.ts'
import { quote } from '../quote.ts'
import { chanceOfStaying, chanceText, type DropOuts, finishedTestsNeeded, spareSeats } from '../spareSeats.ts'
import { googleRule } from '../terms.ts'
import { counted, grouped } from '../../kit/words.ts'

const whence = ({ finishedTests, basisPoints, assumed }: DropOuts) =>
  assumed
    ? `Until ${finishedTestsNeeded} tests have been finished here, we assume that ${formatRate(basisPoints)} of testers drop out.`
    : `Testers dropped out of ${formatRate(basisPoints)} of the last ${grouped(finishedTests)} finished tests here.`

/** "an 86%", "a 92%": the article as the number is spoken. */
const withArticle = (percent: string) => `${/^(8|1[18]%)/.test(percent) ? 'an' : 'a'} ${percent}`

type Props = {
  dropOuts: DropOuts
  seats: number
  payPerTesterCents: number
  fee: BasisPoints
  onTake: (seats: number) => void
}

/**
 * The probability of still having enough testers after the fourteen days, per number of seats. Pressing a bar takes that number.
 */
export const SpareSeats = ({ dropOuts, seats, payPerTesterCents, fee, onTake }: Props) => {
  const shown = spareSeats(dropOuts.basisPoints)
  const costOf = (count: number) => quote(count, payPerTesterCents, fee).totalCostCents
  const chance = chanceOfStaying(seats, dropOuts.basisPoints)
  return (
    <Card title="Spare seats">
      <p aria-live="polite">
        {seats < googleRule.testers ? (
          `Google asks for ${googleRule.testers} testers. With ${counted(seats, 'seat')}, you have none to spare.`
        ) : (
          <>
            <span className="font-medium">
              With {seats} seats, you have {withArticle(chanceText(chance))} chance
            </span>{' '}
            of still having {googleRule.testers} testers opted in without a break after {googleRule.days} days, for{' '}
            <Money cents={costOf(seats)} />.
          </>
        )}
      </p>
      <ul
        className="mt-3 -mx-1 grid grid-cols-9"
        aria-label={`Chance of still having ${googleRule.testers} testers, by seats`}
      >
        {shown.map(bar => (
          <li key={bar.seats} className="min-w-0">
            <Bar {...bar} taken={bar.seats === seats} cost={<Money cents={costOf(bar.seats)} />} onTake={onTake} />
          </li>
        ))}
      </ul>
      <p className="mt-2 text-xs text-muted-foreground">
        Select a bar to use that number of seats. {whence(dropOuts)} We assume that testers drop out independently.
      </p>
    </Card>
  )
}

const height = 64

const Bar = ({
  seats,
  chance,
  taken,
  cost,
  onTake,
}: {
  seats: number
  chance: number
  taken: boolean
  cost: React.ReactNode
  onTake: (seats: number) => void
}) => {
  const tall = Math.max(2, chance * height)
  return (
    <button
      type="button"
      aria-pressed={taken}
      onClick={() => onTake(seats)}
      className={clsx(
        'grid w-full justify-items-center gap-1 rounded-md px-0.5 py-1.5 tabular-nums hover:bg-muted',
        taken && 'bg-accent font-semibold',
      )}
    >
      <span className="sr-only">{seats} seats:</span>
      <span className="text-[0.6875rem] leading-none">{chanceText(chance)}</span>
      <svg aria-hidden viewBox={`0 0 20 ${height}`} className="h-16 w-full max-w-6" preserveAspectRatio="none">
        <rect
          x="2"
          y={height - tall}
          width="16"
          height={tall}
          rx="2"
          className={taken ? 'fill-primary' : 'fill-primary/40'}
        />
      </svg>
      <span aria-hidden className="text-xs leading-none">
        {seats}
      </span>
      <span className="sr-only">chance, {cost} in total</span>
    </button>
  )
}
