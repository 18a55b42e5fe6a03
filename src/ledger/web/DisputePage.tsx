/** A dispute for an admin: the payment, the evidence that it was used, notes, the outcome, and the debt if it was lost. */
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { Link, useParams } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { isMissing } from '../../kit/web/apiError.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { MissingPage } from '../../kit/web/ui/MissingPage.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import type { DisputeCase } from '../disputesContract.ts'
import { DisputeDebt } from './DisputeDebt.tsx'
import { disputeQuery } from './disputeCalls.ts'
import { outcomeWords } from './disputeWords.ts'

const DisputeDialog = lazy(async () => ({ default: (await import('./DisputeDialog.tsx')).DisputeDialog }))

const back = <BackLink to={paths.disputesOpen}>Disputes</BackLink>

export const DisputePage = () => {
  const { id = '' } = useParams()
  const dispute = useQuery(disputeQuery(id))
  if (isMissing(dispute.error)) return <NotFound />
  return (
    <>
      {!dispute.data && <PageHeader title="Dispute" back={back} />}
      <Query of={dispute} loading={<SkeletonList className="h-64" />} errorTitle="Failed to load the dispute">
        {loaded => <Case of={loaded} />}
      </Query>
    </>
  )
}

const NotFound = () => (
  <MissingPage
    title="Dispute not found"
    hint="Check the URL, or find it in the list of disputes."
    to={paths.disputesOpen}
    back="Back to disputes"
  />
)

type Props = { of: DisputeCase }

const looks = {
  OPEN: { tone: 'yellow', label: 'Open' },
  WON: { tone: 'green', label: 'Won' },
  LOST: { tone: 'red', label: 'Lost' },
} as const

const Case = ({ of: dispute }: Props) => {
  const { campaign, developer, status } = dispute
  return (
    <>
      <PageHeader
        title={`Dispute about ${campaign.title}`}
        description={
          <>
            Paid by{' '}
            <Link to={paths.user(developer.id)} className="text-link underline underline-offset-4">
              {developer.name}
            </Link>
          </>
        }
        badge={<Badge tone={looks[status].tone}>{looks[status].label}</Badge>}
        back={back}
      />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Payment of={dispute} />
        <Evidence of={dispute} />
        <Outcome of={dispute} />
        {(status === 'LOST' || dispute.settlements.length > 0) && <DisputeDebt of={dispute} />}
      </div>
    </>
  )
}

const Payment = ({
  of: { reason, amountCents, paidAt, paymentCents, paymentMethod, openedAt, evidenceDueAt },
}: Props) => (
  <Card title="Payment">
    <DescriptionList
      className="-my-2"
      items={[
        { label: 'Disputed', value: <Money cents={amountCents} /> },
        { label: 'Paid', value: <Money cents={paymentCents} /> },
        { label: 'Paid on', value: <DateTime at={paidAt} withTime /> },
        { label: 'Payment method', value: <span className="wrap-anywhere">{paymentMethod}</span> },
        { label: 'Reason', value: <span className="wrap-anywhere">{reason}</span> },
        { label: 'Opened', value: <DateTime at={openedAt} withTime /> },
        ...(evidenceDueAt ? [{ label: 'Evidence due', value: <DateTime at={evidenceDueAt} withTime /> }] : []),
      ]}
    />
  </Card>
)

const Evidence = ({ of: { campaign, evidence } }: Props) => (
  <Card
    title="What the payment was used for"
    action={
      <Link to={paths.campaign(campaign.id)} className="text-link underline-offset-4 hover:underline">
        View campaign
      </Link>
    }
  >
    <DescriptionList
      className="-my-2"
      items={[
        { label: 'Testers who joined', value: evidence.testers },
        { label: 'Check-ins', value: evidence.checkIns },
        { label: 'Proofs', value: evidence.proofs },
        { label: 'Verified', value: evidence.verified },
        { label: 'Paid to testers', value: <Money cents={evidence.paidOutCents} /> },
      ]}
    />
  </Card>
)

export type Asked = 'WON' | 'LOST' | 'NOTE'

const Outcome = ({ of: dispute }: Props) => {
  const { status, decidable, closedAt, note } = dispute
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <Card
      title="Outcome"
      className="lg:col-span-2"
      footer={
        <div className="flex flex-wrap gap-2">
          {decidable && (
            <>
              <Button variant="outline" onClick={() => setAsked('WON')}>
                Record as won
              </Button>
              <Button variant="outline" onClick={() => setAsked('LOST')}>
                Record as lost
              </Button>
            </>
          )}
          <Button variant="outline" onClick={() => setAsked('NOTE')}>
            {note === null ? 'Add a note' : 'Change the note'}
          </Button>
        </div>
      }
    >
      <p className="max-w-prose">{outcomeWords(dispute)}</p>
      {status === 'OPEN' && !decidable && (
        <p className="mt-2 max-w-prose text-muted-foreground">
          Respond in the payment provider’s dashboard, using the evidence above. The provider reports the outcome, and
          it is recorded here automatically.
        </p>
      )}
      <DescriptionList
        className="mt-2"
        items={[
          ...(closedAt ? [{ label: 'Closed', value: <DateTime at={closedAt} withTime /> }] : []),
          ...(note === null
            ? []
            : [{ label: 'Note', value: <span className="whitespace-pre-wrap wrap-anywhere">{note}</span> }]),
        ]}
      />
      {asked && (
        <Suspense>
          <DisputeDialog asked={asked} of={dispute} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </Card>
  )
}
