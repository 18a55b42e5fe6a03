/** An appeal for an admin: what both sides say and show on one page, and the decision. */
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { Link, useParams } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { isMissing } from '../../kit/web/apiError.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Card, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { DecisionCard } from '../../kit/web/ui/DecisionCard.tsx'
import { DialogPlace } from '../../kit/web/ui/DialogPlace.tsx'
import { MissingPage } from '../../kit/web/ui/MissingPage.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import { holdWords } from '../../notifications/holdWords.ts'
import type { AppealCase, CampaignTester } from '../contract.ts'
import { AppealOutcome, AppealView } from './AppealView.tsx'
import { DayStrip } from './DayStrip.tsx'
import { DeviceAndDates, EarlierReview, hasNotes, Notes, ProofOf } from './Evidence.tsx'
import { ParticipationBadge } from './ParticipationBadge.tsx'
import { appealQuery } from './calls.ts'

const DecideAppealDialog = lazy(async () => ({
  default: (await import('./DecideAppealDialog.tsx')).DecideAppealDialog,
}))

const back = <BackLink to={paths.appealsPending}>Appeals</BackLink>

export const AppealPage = () => {
  const { id = '' } = useParams()
  const appeal = useQuery(appealQuery(id))
  if (isMissing(appeal.error)) return <NotFound />
  return (
    <>
      {!appeal.data && <PageHeader title="Appeal" back={back} />}
      <Query of={appeal} loading={<SkeletonList className="h-64" />} errorTitle="Failed to load the appeal">
        {loaded => (
          <DialogPlace>
            <BothSides of={loaded} />
          </DialogPlace>
        )}
      </Query>
    </>
  )
}

const NotFound = () => (
  <MissingPage
    title="Appeal not found"
    hint="Check the URL, or find it in the list of appeals."
    to={paths.appealsPending}
    back="Back to appeals"
  />
)

type Props = { of: AppealCase }

const BothSides = ({ of: shown }: Props) => {
  const { test, developer, tester } = shown
  return (
    <>
      <PageHeader
        title={`${test.alias} of ${test.campaign.title}`}
        description={
          <>
            <Link to={paths.user(tester.id)} className="text-link underline underline-offset-4">
              {tester.name}
            </Link>{' '}
            appeals a rejection in a campaign of{' '}
            <Link to={paths.user(developer.id)} className="text-link underline underline-offset-4">
              {developer.name}
            </Link>
          </>
        }
        badge={<ParticipationBadge of={test} />}
        back={back}
      />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title="The rejection" description="Why the proof was rejected">
          <EarlierReview of={test} />
        </Card>
        <Card title="The tester" description={`Why ${tester.name} disagrees`}>
          <AppealView of={test.appeal} />
        </Card>
      </div>
      <Decision of={shown} />
      <div className="mt-5 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,20rem)]">
        <div className="grid min-w-0 gap-5">
          <Card title="Proof">
            <ProofOf of={test} />
          </Card>
          {hasNotes(test) && (
            <Card title="Time and notes by day">
              <Notes of={test} />
            </Card>
          )}
          <Asked of={shown} />
        </div>
        <Card title="Days">
          <div className="grid gap-5">
            <DayStrip of={test} />
            <DeviceAndDates of={test} />
          </div>
        </Card>
      </div>
    </>
  )
}

const Asked = ({ of: { test, description } }: Props) => (
  <Card
    title="What the campaign asks for"
    action={
      <Link to={paths.campaign(test.campaign.id)} className="text-link underline-offset-4 hover:underline">
        View campaign
      </Link>
    }
  >
    <p className="whitespace-pre-wrap wrap-anywhere">{description}</p>
    {test.campaign.features.length > 0 && (
      <ul className="mt-3 list-disc pl-5">
        {test.campaign.features.map(feature => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
    )}
  </Card>
)

const Undecided = ({ of: { appeal }, heldFor }: { of: CampaignTester; heldFor: AppealCase['heldFor'] }) =>
  heldFor ? (
    <>The platform cannot pay yet: {holdWords[heldFor]}.</>
  ) : appeal?.goodwill ? (
    <>
      The platform pays on <DateTime at={appeal.goodwill.at} withTime />.
    </>
  ) : null

const buttons = {
  VERIFY: { label: 'Verify and pay' },
  UPHOLD: { label: 'Uphold the rejection', variant: 'outline' },
} as const

const Decision = ({ of: { test, heldFor } }: Props) => {
  const waits = test.actions.includes('decideAppeal')
  return (
    <DecisionCard
      of={test}
      title="Decision"
      className="mt-5"
      buttons={buttons}
      {...(!waits && { decisions: [] })}
      dialog={DecideAppealDialog}
    >
      {waits ? (
        <DescriptionList
          className="-my-2"
          items={[
            { label: 'Held for the tester', value: <Money cents={test.campaign.payPerTesterCents} /> },
            {
              label: 'If you uphold it',
              value:
                test.campaign.status === 'CANCELLED'
                  ? 'Not paid: the money is refunded to the developer'
                  : 'Not paid: the seat is free again, and what stays unused is refunded to the developer at the end',
            },
            {
              label: 'Without a decision',
              value: (
                // Narrow on a phone, for the label's sake.
                <span className="block max-w-44 sm:max-w-none">
                  <Undecided of={test} heldFor={heldFor} />
                </span>
              ),
            },
          ]}
        />
      ) : (
        <AppealOutcome of={test.appeal} />
      )}
    </DecisionCard>
  )
}
