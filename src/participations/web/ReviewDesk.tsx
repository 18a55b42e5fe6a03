import { CircleCheckBig, ChevronLeft, ChevronRight } from 'lucide-react'
import { Suspense, lazy, useEffect, useState } from 'react'
import { paths } from '../../kit/paths.ts'
import { useNow } from '../../kit/web/now.ts'
import { queryClient } from '../../kit/web/query.ts'
import { useScreenKeys } from '../../kit/web/screenKeys.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { EmptyState, Skeleton, SkeletonList } from '../../kit/web/ui/States.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import { useUser } from '../../kit/web/user.ts'
import { counted } from '../../kit/words.ts'
import { isRunning } from '../../campaigns/rules.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { waitsForConsent } from '../consent.ts'
import type { CampaignTester } from '../contract.ts'
import { ConsentNotice } from './ConsentNotice.tsx'
import { DecisionBar } from './DecisionBar.tsx'
import { DeskQueue } from './DeskQueue.tsx'
import { Evidence } from './Evidence.tsx'
import { ParticipationBadge } from './ParticipationBadge.tsx'
import { testFeedbackQuery } from './calls.ts'
import { reviewHead } from './heads.ts'
import { verifiedTogether } from './verifiedTogether.ts'
import { type Desk, useDesk } from './useDesk.ts'
import { verifications } from './verifications.ts'

const BulkDialog = lazy(async () => ({ default: (await import('./BulkDialog.tsx')).BulkDialog }))
const ChangesDialog = lazy(async () => ({ default: (await import('./ChangesDialog.tsx')).ChangesDialog }))
const RejectDialog = lazy(async () => ({ default: (await import('./RejectDialog.tsx')).RejectDialog }))

type Asked = { about: 'CHANGES' | 'REJECTION'; tester: CampaignTester } | { about: 'BULK'; testers: CampaignTester[] }

/** The proofs of a campaign, one after the other: the evidence, and the decision beside it. */
export const ReviewDesk = ({ campaign }: { campaign: Campaign }) => {
  const desk = useDesk(campaign.id)
  const [asked, setAsked] = useState<Asked | null>(null)
  const now = useNow()
  const isOwner = useUser().role === 'DEVELOPER'
  const complete = isOwner ? verifiedTogether(desk.queue, now) : []
  const { open } = desk
  const toReview = desk.queue.filter(tester => !waitsForConsent(tester))
  const may = (action: CampaignTester['actions'][number]) => open?.actions.includes(action) === true
  const verify = () => {
    if (desk.isReplaced) return desk.choose()
    if (open && may('verify')) desk.verify([open])
  }
  const ask = (about: 'CHANGES' | 'REJECTION') => {
    if (desk.isReplaced) return desk.choose()
    if (open && may(about === 'CHANGES' ? 'requestChanges' : 'reject')) setAsked({ about, tester: open })
  }
  useScreenKeys([
    { key: 'j', label: 'Next proof', press: desk.next },
    { key: 'k', label: 'Previous proof', press: desk.previous },
    { key: 'v', label: 'Verify and pay', press: verify },
    { key: 'c', label: 'Request changes', press: () => ask('CHANGES') },
    { key: 'r', label: 'Reject', press: () => ask('REJECTION') },
    { key: 'u', label: 'Undo the last verification', press: desk.undo },
  ])
  // The next screen could not undo them.
  useEffect(() => verifications.sendAll, [])
  return (
    <>
      <PageHeader
        {...reviewHead}
        documentTitle={`Review proofs of ${campaign.title}`}
        description={`Proofs not decided within ${counted(campaign.reviewHours, 'hour')} are auto-verified.`}
        back={<BackLink to={paths.campaign(campaign.id)}>{campaign.title}</BackLink>}
        actions={
          complete.length > 1 && (
            <Button variant="outline" onClick={() => setAsked({ about: 'BULK', testers: complete })}>
              Verify {complete.length} who checked in every day
            </Button>
          )
        }
      />
      <output className="sr-only">
        {desk.isReplaced ? 'The proof that was open has been decided elsewhere.' : desk.said}
      </output>
      <InfiniteQuery of={desk.roster} loading={<LoadingProof />} errorTitle="Failed to load the proofs">
        {() => (
          <>
            {desk.isReplaced && (
              <Alert tone="blue" className="mb-4">
                <p>
                  The proof that was open has been decided elsewhere. {counted(toReview.length, 'proof')} left to
                  review; this is {desk.open?.alias}.
                </p>
                <Button variant="outline" size="sm" className="mt-2" onClick={desk.choose}>
                  Review this one
                </Button>
              </Alert>
            )}
            {open ? <OpenProof key={open.id} of={open} desk={desk} /> : <AllDecided campaign={campaign} desk={desk} />}
            <DecisionBar
              campaign={campaign}
              open={open}
              onUndo={desk.undo}
              onVerify={verify}
              onChanges={() => ask('CHANGES')}
              onReject={() => ask('REJECTION')}
            />
          </>
        )}
      </InfiniteQuery>
      <Suspense>
        {asked?.about === 'BULK' && (
          <BulkDialog
            campaign={campaign}
            testers={asked.testers}
            onClose={() => setAsked(null)}
            onVerify={() => desk.verify(asked.testers)}
          />
        )}
        {asked?.about === 'CHANGES' && (
          <ChangesDialog
            of={asked.tester}
            onClose={() => setAsked(null)}
            onDone={() => desk.reviewedNow(asked.tester, `Changes requested from ${asked.tester.alias}.`)}
          />
        )}
        {asked?.about === 'REJECTION' && (
          <RejectDialog
            of={asked.tester}
            onClose={() => setAsked(null)}
            onDone={() => desk.reviewedNow(asked.tester, `${asked.tester.alias}’s proof was rejected.`)}
            onAsked={() => desk.askedNow(asked.tester)}
          />
        )}
      </Suspense>
    </>
  )
}

/** When the reader moves to another proof, takes the focus and scrolls to the proof's top. */
const arrivalAt =
  (id: string, { goingTo }: Desk) =>
  (heading: HTMLElement | null) => {
    if (!heading || goingTo.current !== id) return
    goingTo.current = null
    heading.focus({ preventScroll: true })
    heading.scrollIntoView({ block: 'nearest' })
  }

const OpenProof = ({ of: tester, desk }: { of: CampaignTester; desk: Desk }) => {
  const { queue, place } = desk
  const next = queue[place + 1]?.id
  useEffect(() => {
    if (next !== undefined) void queryClient.prefetchQuery(testFeedbackQuery(next))
  }, [next])
  return (
    <article aria-labelledby="proof-heading">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2
            id="proof-heading"
            ref={arrivalAt(tester.id, desk)}
            tabIndex={-1}
            className="flex scroll-mt-20 flex-wrap items-center gap-x-3 gap-y-1 rounded-sm text-lg font-semibold"
          >
            {tester.alias}
            <span className="text-sm font-normal text-muted-foreground tabular-nums">
              Proof {place + 1} of {queue.length}
            </span>
            {tester.atRisk && <ParticipationBadge of={tester} />}
          </h2>
          {tester.deadlineAt && (
            <p className="text-muted-foreground">
              Auto-verifies <RelativeTime at={tester.deadlineAt} />
            </p>
          )}
        </div>
        <div className="flex gap-2">
          <Button
            variant="outline"
            size="icon"
            aria-label="Previous proof"
            aria-keyshortcuts="k"
            disabled={place === 0}
            onClick={desk.previous}
          >
            <ChevronLeft aria-hidden />
          </Button>
          <Button
            variant="outline"
            size="icon"
            aria-label="Next proof"
            aria-keyshortcuts="j"
            disabled={place === queue.length - 1}
            onClick={desk.next}
          >
            <ChevronRight aria-hidden />
          </Button>
        </div>
      </div>
      <ConsentNotice of={tester} />
      <Evidence of={tester} beside={queue.length > 1 && <DeskQueue desk={desk} />} />
    </article>
  )
}

const AllDecided = ({ campaign, desk }: { campaign: Campaign; desk: Desk }) => (
  <div>
    <h2 ref={arrivalAt('', desk)} tabIndex={-1} className="sr-only">
      No proofs to review
    </h2>
    <EmptyState
      icon={<CircleCheckBig aria-hidden />}
      title="No proofs to review"
      hint={`${campaign._count.verified} of ${counted(campaign.testersRequired - campaign.closedSeats, 'tester')} verified.${isRunning(campaign.status) ? ' New proofs appear here.' : ''}`}
      action={<ButtonLink to={paths.campaign(campaign.id)}>Back to the campaign</ButtonLink>}
    />
  </div>
)

const LoadingProof = () => (
  <div>
    <SkeletonList count={1} className="h-8 w-40" />
    <div className="mt-4 grid gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,20rem)]">
      <Skeleton className="h-72 rounded-xl" />
      <Skeleton className="h-56 rounded-xl" />
    </div>
  </div>
)
