import { Link } from 'react-router'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { Card, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { TestModeBadge } from '../../kit/web/ui/TestMode.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../contract.ts'
import { counted } from '../../kit/words.ts'
import { hasEnded, isRunning } from '../rules.ts'
import { earnedByTesters, frozenCents, heldOf, refundableOf } from '../seats.ts'
import { surplusWords } from './surplusWords.ts'
import { feeLabel } from './words.ts'

/** The owner's figures link to the statement lines that add up to them. */
const Paid = ({ campaignId, cents }: { campaignId: string; cents: number }) => {
  const isOwner = useUser().role === 'DEVELOPER'
  if (!isOwner || cents === 0) return <Money cents={cents} />
  return (
    <Link to={paths.paymentsOf(campaignId)} className="text-link underline-offset-4 hover:underline">
      <Money cents={cents} />
    </Link>
  )
}

const refundableBy = {
  before: 'Everything, if you cancel now',
  running: 'Free seats, if you cancel or close them now',
  ended: 'Anything unused is refunded',
}

/** A figure's name, and an explanation of what it counts. */
const Told = ({ by, children }: { by: string; children: string }) => (
  <>
    <span className="text-foreground">{children}</span>
    <span className="block text-xs">{by}</span>
  </>
)

/** Pay and fee that are held for rejected proofs, and until when. */
const HeldUntil = ({ frozen: { seats, appealed, until } }: { frozen: NonNullable<Campaign['frozen']> }) => (
  <>
    Held for {counted(seats, 'rejected proof')}
    <span className="block text-xs text-muted-foreground [&_time]:whitespace-normal">
      {until && (
        <>
          until <DateTime at={until} withTime /> for an appeal
        </>
      )}
      {until && appealed > 0 && ', '}
      {appealed > 0 &&
        `${appealed < seats ? `${appealed} ` : ''}until an admin decides on the ${appealed === 1 ? 'appeal' : 'appeals'}`}
    </span>
  </>
)

/** For the owner and for admins: quoted, paid and outstanding amounts. */
export const MoneyCard = ({ campaign }: { campaign: Campaign }) => {
  const { testersRequired, closedSeats, payPerTesterCents, fundedCents, feeCents, outstandingCents, status, frozen } =
    campaign
  const earned = earnedByTesters(campaign)
  const ended = hasEnded(status)
  const surplus = surplusWords(campaign)
  const running = isRunning(status)
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
          ...(feeCents > 0 ? [{ label: 'Of which platform fee', value: <Money cents={feeCents} /> }] : []),
          ...(fundedCents + feeCents > 0
            ? [
                {
                  label: <Told by="Testers’ pay and fees not due yet">Held</Told>,
                  value: <Money cents={heldOf(campaign)} />,
                },
                { label: <Told by="To testers, without the fee">Paid out</Told>, value: <Money cents={earned} /> },
                {
                  label: (
                    <Told by={surplus.refundable ?? refundableBy[ended ? 'ended' : running ? 'running' : 'before']}>
                      Refundable
                    </Told>
                  ),
                  value: <Money cents={refundableOf(campaign)} />,
                },
              ]
            : []),
          ...(frozen ? [{ label: <HeldUntil frozen={frozen} />, value: <Money cents={frozenCents(campaign)} /> }] : []),
          ...(closedSeats > 0 ? [{ label: `${counted(closedSeats, 'seat')} closed`, value: surplus.closedSeats }] : []),
          ...(ended
            ? []
            : [{ label: 'Outstanding', value: <Money cents={outstandingCents} />, strong: outstandingCents > 0 }]),
        ]}
      />
    </Card>
  )
}
