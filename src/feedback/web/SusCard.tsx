import { counted, oneDecimal } from '../../kit/words.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import type { FeedbackResults } from '../contract.ts'

/** The average over 500 published studies (J. Sauro, "A Practical Guide to the System Usability Scale", 2011). */
const averageScore = 68

/** The score on its scale, with the spread, and the average for comparison. */
export const SusCard = ({ sus: { score, lowest, highest, testers } }: { sus: NonNullable<FeedbackResults['sus']> }) => (
  <Card
    title="System Usability Scale"
    description={`The mean of ${counted(testers, 'tester')} who answered all ten statements.`}
  >
    <p>
      <span className="text-3xl font-semibold tracking-tight tabular-nums">{oneDecimal(score)}</span>{' '}
      <span className="text-muted-foreground">out of 100</span>
    </p>
    <div aria-hidden className="relative mt-3 h-3 rounded-full bg-muted">
      <span className="absolute inset-y-0 left-0 rounded-full bg-primary" style={{ width: `${score}%` }} />
      <span className="absolute -inset-y-1 w-0.5 -translate-x-px bg-foreground" style={{ left: `${averageScore}%` }} />
    </div>
    <p className="mt-3 max-w-prose text-muted-foreground">
      {testers > 1 && `From ${oneDecimal(lowest)} to ${oneDecimal(highest)}. `}
      {averageScore}, the line across the bar, is the average of published studies. It is a score, not a percentage
      {testers < 5 && '; with fewer than five testers, one more can change it a lot'}.
    </p>
  </Card>
)
