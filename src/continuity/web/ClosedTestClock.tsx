import { type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import type { Campaign } from '../../campaigns/contract.ts'
import { hasEnded } from '../../campaigns/rules.ts'
import { useNow } from '../../kit/web/now.ts'
import { paths } from '../../kit/paths.ts'
import { counted } from '../../kit/words.ts'
import { useUser } from '../../kit/web/user.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { Continuity } from '../contract.ts'
import { AtRisk } from './AtRisk.tsx'
import { PlayCounts } from './PlayCounts.tsx'
import { RunTable } from './RunTable.tsx'
import { type Door, nextStepOf, waitsForList } from './nextStep.ts'
import { bufferWords, dayWords } from './words.ts'

type Props = {
  campaign: Campaign
  clock: Continuity
  /** The button "I have applied", of a slice above. */
  applied: ReactNode
}

export const ClosedTestClock = ({ campaign, clock, applied }: Props) => {
  const now = useNow()
  const isOwner = useUser().role === 'DEVELOPER'
  const ended = hasEnded(campaign.status)
  const step = isOwner ? nextStepOf(clock, now, ended, campaign.testersRequired - campaign.closedSeats) : null
  return (
    <section aria-labelledby="clock-title" className="min-w-0 overflow-hidden rounded-xl border bg-card shadow-card">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b bg-accent px-5 py-4">
        <div className="min-w-0 flex-1 basis-72">
          <h2 id="clock-title" className="text-lg font-semibold">
            {/* For an admin there is nothing to do. */}
            {step?.title ?? 'Fourteen days without a break'}
          </h2>
          {step && <p className="max-w-prose">{step.text}</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          {step && <Way campaign={campaign} to={step.door} applied={applied} />}
          <ButtonLink to={paths.campaignReport(campaign.id)} variant="outline">
            Report
          </ButtonLink>
        </div>
      </header>
      <Figures clock={clock} ended={ended} />
      <AtRisk clock={clock} ended={ended} except={step?.about} />
      {step && step.door !== 'LIST' && <Unlisted campaign={campaign} clock={clock} />}
      {clock.testers.length > 0 && <RunTable clock={clock} ended={ended} />}
      <PlayCounts campaign={campaign} clock={clock} />
      <Reading clock={clock} />
    </section>
  )
}

const Way = ({ campaign, to, applied }: { campaign: Campaign; to: Door; applied: ReactNode }) => {
  switch (to) {
    case 'APPLY':
      return <Suspense>{applied}</Suspense>
    case 'LIST':
      return <ButtonLink to={paths.campaignTab(campaign.id, 'list')}>Open the tester list</ButtonLink>
    case 'TESTERS':
      return (
        <ButtonLink to={paths.campaignTab(campaign.id, 'testers')} variant="outline">
          See the testers
        </ButtonLink>
      )
    case null:
      return null
  }
}

/** Who waits to be listed, while something else comes first. */
const Unlisted = ({ campaign, clock }: { campaign: Campaign; clock: Continuity }) => {
  const unlisted = clock.testers.filter(waitsForList).length
  if (unlisted === 0) return null
  return (
    <p className="border-t px-5 py-3">
      {counted(unlisted, 'tester')} cannot open your app yet.{' '}
      <Link to={paths.campaignTab(campaign.id, 'list')} className="text-link underline underline-offset-4">
        Open the tester list
      </Link>
    </p>
  )
}

const Figures = ({ clock, ended }: { clock: Continuity; ended: boolean }) => {
  const now = useNow()
  const { day, requiredDays, unbrokenTesters, earliestDate, earliestAt } = clock
  const reached = earliestAt !== null && earliestAt <= now
  const tooFew = `fewer than ${clock.requiredTesters} opted in`
  return (
    <dl className="grid grid-cols-2 gap-px bg-border lg:grid-cols-4">
      <Figure label="Day" value={day === null ? `– of ${requiredDays}` : `${day} of ${requiredDays}`}>
        {day === null
          ? ended
            ? tooFew
            : `begins with the ${clock.requiredTesters}th opt-in`
          : 'of the 12th-oldest run'}
      </Figure>
      <Figure
        label="Earliest date to apply"
        value={earliestDate === null ? (ended ? 'None' : 'None yet') : dayWords(earliestDate, now)}
      >
        {earliestAt === null ? (
          ended ? (
            tooFew
          ) : (
            `with ${clock.requiredTesters} opted in`
          )
        ) : (
          <>
            {reached ? 'reached ' : ''}
            <DateTime at={earliestAt} withTime />
          </>
        )}
      </Figure>
      <Figure label="Opted in without a break" value={String(unbrokenTesters)}>
        {clock.requiredTesters} needed
      </Figure>
      <Figure label="Buffer" value={clock.buffer > 0 ? `+${clock.buffer}` : String(clock.buffer).replace('-', '−')}>
        {bufferWords(clock)}
      </Figure>
    </dl>
  )
}

const Figure = ({ label, value, children }: { label: string; value: string; children: ReactNode }) => (
  <div className="min-w-0 bg-card px-5 py-3">
    <dt className="text-muted-foreground">{label}</dt>
    <dd>
      <span className="block text-xl font-semibold tracking-tight tabular-nums">{value}</span>
      <span className="block text-xs text-muted-foreground [&_time]:whitespace-normal">{children}</span>
    </dd>
  </div>
)

/** The second reading, whose it is, and what nobody can promise. */
const Reading = ({ clock }: { clock: Continuity }) => (
  <footer className="grid gap-1 border-t bg-muted/50 px-5 py-3 text-muted-foreground">
    <p className="max-w-prose">
      The date follows the strictest reading of Google’s rule for personal accounts: the same {clock.requiredTesters}{' '}
      testers were opted in for the last {clock.requiredDays} days, without a break.
    </p>
    <p className="max-w-prose">
      Some guides read it as “12 or more at once, for 14 days”, no matter who they are. By that reading, it has been{' '}
      <strong className="font-medium text-foreground">
        {clock.aggregateRunDays} of {clock.requiredDays} days
      </strong>
      .
    </p>
    <p className="max-w-prose">
      We know only what testers tell and show us, not what Play Console shows. Whether an application is granted is
      Google’s decision.
    </p>
  </footer>
)
