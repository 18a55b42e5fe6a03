import { Suspense, lazy, useState } from 'react'
import { listPlaceOf } from '../../campaigns/listPlace.ts'
import { useNow } from '../../kit/web/now.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { DateTime, Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester } from '../contract.ts'
import { ConfirmOptIn } from './ConfirmOptIn.tsx'
import { fullDays } from './days.ts'
import { OpenLink } from './OpenLink.tsx'
import { OptInScreenshot } from './OptInScreenshot.tsx'
import { staysAfterEndDays } from '../terms.ts'

const OptOutDialog = lazy(async () => ({ default: (await import('./OptOutDialog.tsx')).OptOutDialog }))

type Props = { of: CampaignTester }

/** In a campaign with a tester list: the tester's next step until they are opted in, and the opt-in itself. */
export const WayIn = ({ of: test }: Props) => {
  const { nextStep, run } = test
  if (nextStep !== 'WAIT_FOR_LIST' && nextStep !== 'OPEN_LINK' && nextStep !== 'OPT_IN')
    return run && <OptedIn of={test} run={run} />
  // In one place for all steps, so that an opened link stays in view when the next step comes.
  return (
    <section aria-label={titles[nextStep](test)} className="grid gap-4">
      {nextStep === 'WAIT_FOR_LIST' ? <Waiting of={test} /> : <Turn of={test} step={nextStep} />}
      <OpenLink of={test} primary={nextStep !== 'WAIT_FOR_LIST'} />
    </section>
  )
}

type Turns = 'OPEN_LINK' | 'OPT_IN'

const hasLeft = ({ runs }: CampaignTester) => runs.length > 0

const titles: Record<Turns | 'WAIT_FOR_LIST', (test: CampaignTester) => string> = {
  WAIT_FOR_LIST: () => 'Waiting to get in',
  OPEN_LINK: () => 'Next: open the link to Google Play',
  OPT_IN: test => (hasLeft(test) ? 'You are not opted in' : 'Next: opt in on Google Play'),
}

const says: Record<Turns, (test: CampaignTester) => string> = {
  OPEN_LINK: ({ campaign }) =>
    `You are ${campaign.accessMode === 'GOOGLE_GROUP' ? 'in the Google Group of the test' : 'on the developer’s tester list'}. Open the link with the account shown, and become a tester.`,
  OPT_IN: test =>
    hasLeft(test)
      ? 'Opt in on Google Play again and confirm it here. Your days start at 1.'
      : 'Become a tester on Google Play, then confirm it here. Your first day begins then.',
}

const Turn = ({ of: test, step }: Props & { step: Turns }) => {
  const { atRisk, deadlineAt, status } = test
  const mayLose = deadlineAt !== null && status !== 'SUBMITTED'
  return (
    <Alert tone={atRisk ? 'yellow' : 'blue'} title={titles[step](test)}>
      <p>{says[step](test)}</p>
      {mayLose && (
        <p className="mt-2">
          Do this before <DateTime at={deadlineAt} withTime /> (<RelativeTime at={deadlineAt} />
          ), or you lose your seat and your pay.
        </p>
      )}
      {test.noAccess?.mayReportAt != null && (
        <p className="mt-2">
          If Google Play does not let you in, show the link and report it there. Then it is the developer’s turn again.
        </p>
      )}
    </Alert>
  )
}

const Waiting = ({ of: { waiting, noAccess, campaign } }: Props) => {
  const now = useNow()
  if (waiting === null) return null
  const reportedAt = noAccess?.at ?? null
  const mayLeave = now >= waiting.mayLeaveAt
  const { named, toTester } = listPlaceOf(campaign.accessMode)
  return (
    <Alert
      tone="blue"
      title={
        reportedAt === null
          ? `Waiting for the developer to add you to ${named}`
          : 'Waiting for the developer to let you in'
      }
    >
      <p>
        {reportedAt === null ? (
          <>The developer adds your Google account to {toTester}. We will tell you as soon as that is done.</>
        ) : (
          <>
            You reported <RelativeTime at={reportedAt} /> that Google Play does not let you in. The developer is looking
            into it, and we will tell you when to try again.
          </>
        )}{' '}
        Until then nothing is due, and you cannot lose your seat.
      </p>
      <p className="mt-2">
        {mayLeave ? (
          'You may leave now'
        ) : (
          <>
            From <DateTime at={waiting.mayLeaveAt} /> you may leave
          </>
        )}{' '}
        with one day’s pay (<Money cents={waiting.payCents} />
        ). On <DateTime at={waiting.endsAt} /> the test ends automatically with the same pay.
      </p>
    </Alert>
  )
}

const OptedIn = ({ of: test, run }: Props & { run: NonNullable<CampaignTester['run']> }) => {
  const [leaving, setLeaving] = useState(false)
  const now = useNow()
  return (
    <section aria-label="Opt-in" className="grid gap-3">
      {run.contest && run.contest.endedAt === null && <Contested contest={run.contest} />}
      {test.nextStep === 'STAY' && (
        <Alert tone="blue" title="Please stay opted in">
          Google counts your days until the developer applies for production access. Keep the app and stay opted in on
          Google Play. We will tell you when they have; at the latest, you may opt out {staysAfterEndDays} days after
          the campaign has ended.
        </Alert>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="text-muted-foreground">
          Opted in since <DateTime at={run.startedAt} />: {fullDays(run.startedAt, now)}
        </p>
        {test.actions.includes('optOut') && (
          <Button variant="outline" size="sm" onClick={() => setLeaving(true)}>
            Report an opt-out
          </Button>
        )}
      </div>
      {run.screenshot && <OptInScreenshot of={run.screenshot} />}
      {(test.nextStep === 'STAY' || run.contest?.endedAt === null) && test.actions.includes('optIn') && (
        <ConfirmOptIn of={test} primary={false} />
      )}
      {leaving && (
        <Suspense>
          <OptOutDialog of={test} onClose={() => setLeaving(false)} />
        </Suspense>
      )}
    </section>
  )
}

const Contested = ({ contest }: { contest: NonNullable<NonNullable<CampaignTester['run']>['contest']> }) => (
  <Alert tone="yellow" title="The developer doubts that you are opted in">
    <p className="whitespace-pre-wrap wrap-anywhere">{contest.reason}</p>
    <p className="mt-2">
      Check whether Google Play shows you as a tester, with the account that you joined with. Your days, check-ins and
      pay are not affected. Unless an admin decides otherwise, your opt-in counts again on{' '}
      <DateTime at={contest.clearsAt} withTime />.
    </p>
  </Alert>
)
