import { clsx } from 'clsx'
import { Check, ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Progress } from '../../kit/web/ui/Values.tsx'
import { percentOf } from '../../kit/money.ts'
import type { User } from '../../accounts/contract.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { DeveloperFigures, TesterFigures } from '../contract.ts'
import { type OnboardingStep, developerSteps, testerSteps } from './onboardingSteps.ts'

export const DeveloperOnboarding = ({ figures, campaigns }: { figures: DeveloperFigures; campaigns: Campaign[] }) => {
  const steps = developerSteps(figures, campaigns)
  return steps && <Onboarding title="Your first campaign" steps={steps} />
}

export const TesterOnboarding = ({ figures, profile }: { figures: TesterFigures; profile: User | undefined }) => {
  const steps = testerSteps(figures, profile)
  return steps && <Onboarding title="Your first test" steps={steps} />
}

const Onboarding = ({ title, steps }: { title: string; steps: readonly OnboardingStep[] }) => {
  const done = steps.filter(step => step.done).length
  const next = steps.find(step => !step.done)
  return (
    <Card
      title={title}
      flush
      action={
        <div className="grid w-32 gap-1.5 self-center">
          <span className="text-right text-xs text-muted-foreground tabular-nums">
            {done} of {steps.length} done
          </span>
          <Progress percent={percentOf(done, steps.length)} label={`${title}: steps done`} />
        </div>
      }
    >
      <ol className="divide-y">
        {steps.map((step, index) => (
          <li key={step.label}>
            <Step of={step} place={index + 1} isNext={step === next} />
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** Only the next step shows its hint, but later ones can already be opened. */
const Step = ({
  of: { label, hint, done, to },
  place,
  isNext,
}: {
  of: OnboardingStep
  place: number
  isNext: boolean
}) => {
  const row = 'flex items-center gap-3 px-5 py-2.5'
  const text = (
    <>
      <span
        aria-hidden
        className={clsx(
          'grid size-6 shrink-0 place-items-center rounded-full text-xs font-semibold tabular-nums [&_svg]:size-3.5',
          done && 'bg-green-tone text-green-tone-foreground',
          isNext && 'bg-primary text-primary-foreground',
          !done && !isNext && 'border text-muted-foreground',
        )}
      >
        {done ? <Check /> : place}
      </span>
      <span className="min-w-0 flex-1">
        <span className={clsx('block', isNext ? 'font-medium' : 'text-muted-foreground')}>
          {label}
          {done && <span className="sr-only"> (done)</span>}
        </span>
        {isNext && <span className="block text-muted-foreground">{hint}</span>}
      </span>
    </>
  )
  if (done) return <div className={row}>{text}</div>
  return (
    <Link
      to={to}
      aria-current={isNext ? 'step' : undefined}
      className={clsx(row, 'transition-colors hover:bg-muted/60 focus-visible:-outline-offset-2')}
    >
      {text}
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted-foreground" />
    </Link>
  )
}
