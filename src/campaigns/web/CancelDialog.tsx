import { skipToken, useQuery } from '@tanstack/react-query'
import { formatCents } from '../../kit/money.ts'
import { useUser } from '../../kit/web/user.ts'
import type { DescriptionItem } from '../../kit/web/ui/Card.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { WaitingPayment } from '../../ledger/contract.ts'
import type { Campaign } from '../contract.ts'
import { surplusGoes } from '../seats.ts'
import { afterAction, api } from './calls.ts'
import { campaignKeys } from './keys.ts'
import type { DaysDone } from './parts.ts'
import { paymentEnds } from './paymentWords.ts'
import { type Settlement, settle } from './settlement.ts'
import { surplusInDialogs } from './surplusInDialogs.ts'
import { counted, quoted } from '../../kit/words.ts'

type Props = { campaign: Campaign; daysDone: DaysDone; onClose: () => void }

export const CancelDialog = ({ campaign, daysDone, onClose }: Props) => {
  const isOwner = useUser().role === 'DEVELOPER'
  const inside = insideOf(campaign)
  const days = useDaysDone(campaign.id, inside > 0 ? daysDone : null)
  const paid = campaign.fundedCents + campaign.feeCents
  const testing = days?.length ?? inside
  const money = settle(campaign, days ?? [], inside - testing)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Cancel ${quoted(campaign.title)}`}
      description={
        paid === 0
          ? `${campaign.payment ? onItsWay(campaign.payment, isOwner) : 'Nothing has been paid for this campaign, so nothing is refunded.'} You cannot reopen it.`
          : `${campaign.payment ? `${onItsWay(campaign.payment, isOwner)} ` : ''}The campaign ends immediately, and you cannot reopen it. ${inside > 0 ? 'Active testers are paid for the days they completed, submitted proofs are still reviewed, and testers can still appeal rejections. ' : ''}${surplusInDialogs(campaign).rest}`
      }
      items={paid === 0 ? [] : moneyLines({ campaign, money, testing, inside, exact: days !== null, isOwner })}
      confirmLabel={paid > 0 && surplusGoes(campaign) === 'REFUNDED' ? 'Cancel and refund the rest' : 'Cancel campaign'}
      dismissLabel="Keep campaign"
      tone="destructive"
      onConfirm={async () => {
        const cancelled = await api.cancel({ params: { id: campaign.id } })
        afterAction(cancelled)
        notify.success(`Campaign cancelled${cancelledWords(campaign, cancelled)}`)
      }}
    />
  )
}

const onItsWay = (payment: WaitingPayment, isOwner: boolean) =>
  isOwner
    ? paymentEnds(payment, 'Cancelling')
    : `A payment of ${formatCents(payment.amountCents)} is on its way. Cancelling sends it back.`

const insideOf = ({ _count }: Campaign) => _count.campaignTesters - _count.verified

/** What happened to the unused money. */
const cancelledWords = (before: Campaign, cancelled: Campaign): string => {
  const { done } = surplusInDialogs(cancelled)
  if (surplusGoes(cancelled) === 'WAITS') return done(settle(cancelled, [], insideOf(cancelled)).refundCents)
  const refunded = before.fundedCents + before.feeCents - cancelled.fundedCents - cancelled.feeCents
  return refunded > 0 ? done(refunded) : ''
}

/** Empty if `daysDone` is not given; null while it loads. */
const useDaysDone = (id: string, daysDone: DaysDone | null): number[] | null => {
  const days = useQuery({
    queryKey: campaignKeys.daysDone(id),
    queryFn: daysDone ? ({ signal }) => daysDone(id, signal) : skipToken,
  })
  return daysDone ? (days.data ?? null) : []
}

const heldFor = (open: number, rejected: number) =>
  [
    ...(open > 0 ? [counted(open, 'open proof')] : []),
    ...(rejected > 0 ? [counted(rejected, 'rejected proof')] : []),
  ].join(' and ')

const moneyLines = ({
  campaign,
  money,
  testing,
  inside,
  exact,
  isOwner,
}: {
  campaign: Campaign
  money: Settlement
  testing: number
  inside: number
  exact: boolean
  isOwner: boolean
}): DescriptionItem[] => {
  const rejected = exact ? (campaign.frozen?.seats ?? 0) : 0
  const refunded = surplusGoes(campaign) === 'REFUNDED'
  const rest = refunded ? `Refunded ${isOwner ? 'to you' : 'to the developer'}` : surplusInDialogs(campaign).label
  const lines: (DescriptionItem & { shown: boolean })[] = [
    { label: 'Paid in', value: <Money cents={campaign.fundedCents + campaign.feeCents} />, shown: true },
    {
      // Closed seats may have been paid as well: a day for having waited in vain, or the days before a refused NDA.
      label: 'Paid to testers so far, with fees',
      value: <Money cents={money.spentCents} sign="−" />,
      shown: money.spentCents > 0,
    },
    {
      label: `Days completed by ${counted(testing, 'tester')}`,
      value: exact ? <Money cents={money.daysDoneCents} sign="−" /> : 'calculated when you cancel',
      shown: testing > 0,
    },
    {
      label: `Held for ${heldFor(inside - testing - rejected, rejected)}`,
      value: <Money cents={money.heldCents} sign="−" />,
      shown: inside > testing,
    },
    {
      label: exact ? rest : `${rest}, at most`,
      value: <Money cents={money.refundCents} />,
      strong: true,
      shown: true,
    },
    { label: 'Refunded to', value: 'Original payment method', shown: refunded && money.refundCents > 0 },
    { label: 'Left in the campaign', value: <Money cents={money.heldCents} />, shown: refunded },
  ]
  return lines.filter(line => line.shown)
}
