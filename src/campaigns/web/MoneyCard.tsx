import { Link } from 'react-router'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { Card, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { TestModeBadge } from '../../kit/web/ui/TestMode.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../contract.ts'
import { counted } from '../../kit/words.ts'
import { earnedByTesters } from '../seats.ts'
import { feeLabel } from './words.ts'

/** For the owner, the figure links to the lines that add up to it. */
const Paid = ({ campaignId, cents }: { campaignId: string; cents: number }) => {
  const isOwner = useUser().role === 'DEVELOPER'
  if (!isOwner || cents === 0) return <Money cents={cents} />
  return (
    <Link to={paths.paymentsOf(campaignId)} className="text-link underline-offset-4 hover:underline">
      <Money cents={cents} />
    </Link>
  )
}

/** For the owner and for admins: quoted, paid and outstanding amounts. */
export const MoneyCard = ({ campaign }: { campaign: Campaign }) => {
  const { testersRequired, closedSeats, payPerTesterCents, fundedCents, feeCents, outstandingCents, status } = campaign
  const earned = earnedByTesters(campaign)
  const ended = status === 'COMPLETED' || status === 'CANCELLED'
  return (
    <Card title="Money" action={<TestModeBadge />}>
      <DescriptionList
        className="-my-2"
        items={[
          {
            label: (
              <>
                {counted(testersRequired, 'tester')} × <Money cents={payPerTesterCents} />
              </>
            ),
            value: <Money cents={campaign.quotedPayCents} />,
          },
          { label: feeLabel(campaign.feeBasisPoints), value: <Money cents={campaign.quotedFeeCents} /> },
          { label: 'Total', value: <Money cents={campaign.totalCostCents} />, strong: true },
          {
            label: ended || closedSeats > 0 ? 'Paid, net of refunds' : 'Paid',
            value: <Paid campaignId={campaign.id} cents={fundedCents + feeCents} />,
          },
          ...(feeCents > 0 ? [{ label: 'Fee paid', value: <Money cents={feeCents} /> }] : []),
          ...(earned > 0 ? [{ label: 'Earned by testers', value: <Money cents={earned} /> }] : []),
          ...(closedSeats > 0 ? [{ label: `${counted(closedSeats, 'seat')} closed`, value: 'Refunded' }] : []),
          ...(ended
            ? []
            : [{ label: 'Outstanding', value: <Money cents={outstandingCents} />, strong: outstandingCents > 0 }]),
        ]}
      />
    </Card>
  )
}
