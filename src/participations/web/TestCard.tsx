import { Suspense, lazy, useId, useState } from 'react'
import { Link } from 'react-router'
import { isWebLink } from '../../kit/links.ts'
import { paths } from '../../kit/paths.ts'
import { About } from '../../kit/web/ui/about.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { laterPart } from '../../kit/web/ui/laterPart.ts'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { CopyButton, DateTime, Money } from '../../kit/web/ui/Values.tsx'
import { QrButton } from '../../campaigns/web/face.tsx'
import type { CampaignTester } from '../contract.ts'
import { isFrozen } from '../situation.ts'
import { CheckIn } from './CheckIn.tsx'
import { DayStrip } from './DayStrip.tsx'
import { NdaNotice } from './NdaNotice.tsx'
import { ParticipationBadge } from './ParticipationBadge.tsx'
import { ProofDue } from './ProofDue.tsx'
import { ProofView } from './ProofView.tsx'
import { TestNews } from './TestNews.tsx'
import { deviceWords } from './statusWords.ts'
import { proofIsDue } from './urgency.ts'

/** Loaded together with the screens that show tests, since most campaigns have a tester list. */
export const WayIn = laterPart(async () => (await import('./WayIn.tsx')).WayIn, <Skeleton className="h-24" />)

const LeaveDialog = lazy(async () => ({ default: (await import('./LeaveDialog.tsx')).LeaveDialog }))
const ProofForm = laterPart(
  async () => (await import('./ProofForm.tsx')).ProofForm,
  <Skeleton className="h-72 max-w-xl" />,
)

/** One of the tester's own tests: its progress, what to do now, and what happens next. */
export const TestCard = ({ of: test }: { of: CampaignTester }) => {
  const title = useId()
  return (
    <About value={title}>
      <Card
        title={
          <Link id={title} to={paths.myTest(test.id)} className="underline-offset-4 wrap-anywhere hover:underline">
            {test.campaign.title}
          </Link>
        }
        description={<Since of={test} />}
        action={<ParticipationBadge of={test} />}
        footer={hasFooter(test) && <AppAndLeave of={test} />}
      >
        <NdaNotice of={test} />
        <TestProgress of={test} />
      </Card>
    </About>
  )
}

export const Since = ({ of: { status, joinedAt, deviceInfo } }: { of: CampaignTester }) => (
  <>
    {status === 'WAITLISTED' ? 'On the bench since' : 'Joined'} <DateTime at={joinedAt} /> with{' '}
    {deviceWords(deviceInfo)}
  </>
)

export const TestProgress = ({ of: test }: { of: CampaignTester }) => {
  if (test.status === 'WAITLISTED') return <TestNews of={test} />
  return <div className="grid gap-5">{proofIsDue(test) ? <DueFirst of={test} /> : <Course of={test} />}</div>
}

const Course = ({ of: test }: { of: CampaignTester }) => (
  <>
    <DaysAndPay of={test} />
    {test.nextStep !== 'STAY' && <OwnWayIn of={test} />}
    <TestNews of={test} />
    {/* After the proof, its outcome comes first. */}
    {test.nextStep === 'STAY' && <OwnWayIn of={test} />}
    <CheckIn of={test} />
    <OwnProof of={test} />
  </>
)

/** The proof is the first and only primary action; the days and today's check-in come below it. */
const DueFirst = ({ of: test }: { of: CampaignTester }) => (
  <>
    <ProofDue of={test} />
    {test.status === 'CHANGES_REQUESTED' && <TestNews of={test} />}
    <ProofForm of={test} />
    <hr />
    <DaysAndPay of={test} />
    <OwnWayIn of={test} />
    <CheckIn of={test} />
  </>
)

const DaysAndPay = ({ of: test }: { of: CampaignTester }) => (
  <div className="grid gap-x-10 gap-y-4 md:grid-cols-[minmax(0,1fr)_auto]">
    <DayStrip of={test} />
    <Earnings of={test} />
  </div>
)

const OwnWayIn = ({ of: test }: { of: CampaignTester }) => isClosedTest(test) && <WayIn of={test} />

/** A frozen seat has only its present run left: its tester may still opt out. */
const isClosedTest = ({ funnel, closedAt, status, run }: CampaignTester) => {
  if (funnel === null) return false
  return isFrozen({ status }) ? run !== null : closedAt === null || status === 'VERIFIED'
}

/** The amount then links to its line in the statement. */
const isPaid = ({ status, payoutAmountCents }: CampaignTester) =>
  (status === 'VERIFIED' || status === 'CANCELLED') && payoutAmountCents > 0

const payWords = ({ closedAt, status }: CampaignTester) => {
  if (closedAt !== null) return 'Earned'
  return status === 'REJECTED' || status === 'APPEALED' ? 'Held' : 'Pays when verified'
}

const Earnings = ({ of: test }: { of: CampaignTester }) => (
  <p className="flex items-baseline justify-between gap-3 md:block md:text-right">
    <span className="text-muted-foreground">{payWords(test)}</span>
    <span className="text-lg font-semibold md:block">
      {isPaid(test) ? (
        <Link to={paths.balanceOf(test.campaign.id)} className="text-link underline-offset-4 hover:underline">
          <Money cents={test.payoutAmountCents} />
        </Link>
      ) : (
        <Money cents={test.payoutAmountCents} />
      )}
    </span>
  </p>
)

const OwnProof = ({ of: { proof } }: { of: CampaignTester }) =>
  proof && (
    <details className="rounded-md border px-3 py-2 open:pb-3">
      <summary className="font-medium">Your proof</summary>
      <div className="mt-2">
        <ProofView of={proof} />
      </div>
    </details>
  )

export const hasFooter = ({ campaign, actions, funnel, run }: CampaignTester) =>
  (campaign.distributionLink !== null && (funnel === null || run !== null)) || actions.includes('leave')

export const AppAndLeave = ({ of: test }: { of: CampaignTester }) => {
  const [leaving, setLeaving] = useState(false)
  // Until the opt-in the link comes with the account to open it with.
  const link = test.funnel === null || test.run ? test.campaign.distributionLink : null
  const mayLeave = test.actions.includes('leave')
  return (
    <div className="flex flex-wrap items-center gap-2">
      {link && isWebLink(link) && (
        <>
          <ButtonLink variant="outline" size="sm" to={link} target="_blank" rel="noopener noreferrer">
            Get the app
            <span className="sr-only"> (opens in a new tab)</span>
          </ButtonLink>
          <CopyButton text={link} label="Copy link" />
          <QrButton link={link} />
        </>
      )}
      {mayLeave && (
        <Button variant="ghost" size="sm" className="ml-auto" onClick={() => setLeaving(true)}>
          Leave
        </Button>
      )}
      {leaving && (
        <Suspense>
          <LeaveDialog of={test} open onOpenChange={setLeaving} />
        </Suspense>
      )}
    </div>
  )
}
