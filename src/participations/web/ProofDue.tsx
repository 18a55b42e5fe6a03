import { clsx } from 'clsx'
import { Clock } from 'lucide-react'
import { hoursBetween } from '../../kit/clock.ts'
import { useNow } from '../../kit/web/now.ts'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester } from '../contract.ts'
import { timeLeft } from './urgency.ts'

/** In these last hours it looks like a warning. */
const pressingHours = 24

/** The time left for the proof, and what is lost without it. At the top of the screen, above the form. */
export const ProofDue = ({ of: test }: { of: CampaignTester }) => {
  const now = useNow()
  const { deadlineAt, proofDueAt, campaign, status } = test
  const pressing = test.atRisk || (deadlineAt !== null && hoursBetween(now, deadlineAt) < pressingHours)
  // The nearest deadline may belong to a missing check-in.
  const checkInHelps = status === 'ACTIVE' && proofDueAt !== null && deadlineAt !== proofDueAt
  return (
    <section
      aria-label="Proof due"
      className={clsx(
        'flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg px-4 py-3',
        pressing ? 'bg-yellow-tone text-yellow-tone-foreground' : 'bg-blue-tone text-blue-tone-foreground',
      )}
    >
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="text-base font-semibold">
          {status === 'CHANGES_REQUESTED' ? 'Submit a new proof' : 'Your proof is due: submit it now'}
        </h3>
        <p>
          <Money cents={campaign.payPerTesterCents} className="font-semibold" /> is yours once it is verified.{' '}
          {deadlineAt && (
            <>
              Submit it{checkInHelps && ' (or check in)'} by <DateTime at={deadlineAt} withTime />, or you lose your
              seat and your pay.
            </>
          )}
        </p>
      </div>
      {deadlineAt && (
        <p className="flex items-center gap-2 text-lg font-semibold whitespace-nowrap tabular-nums">
          <Clock aria-hidden className="size-4.5" />
          <time dateTime={deadlineAt}>{timeLeft(now, deadlineAt)} left</time>
        </p>
      )}
    </section>
  )
}
