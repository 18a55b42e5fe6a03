import { type Cents, formatCents } from '../../kit/money.ts'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../contract.ts'
import { surplusGoes } from '../seats.ts'
import { paymentEnds } from './paymentWords.ts'
import { surplusInDialogs } from './surplusInDialogs.ts'

type Props = {
  campaign: Pick<Campaign, 'dispute' | 'payment'>
  refundCents: Cents
  paidCents: Cents
  onClose: () => void
  onConfirm: () => Promise<unknown>
}

/** Asks for confirmation before saving an edit that makes the campaign cheaper than what was paid. */
export const RefundDialog = ({ campaign, refundCents, paidCents, onClose, onConfirm }: Props) => {
  const refunded = surplusGoes(campaign) === 'REFUNDED'
  const { label, rest } = surplusInDialogs(campaign)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={refunded ? 'Save and refund the difference?' : 'Save the cheaper terms?'}
      description={`The new terms cost less than you paid.${refunded ? '' : ` ${rest}`}${campaign.payment ? ` ${paymentEnds(campaign.payment, 'Saving')}` : ''}`}
      items={[
        { label: refunded ? 'Refund' : label, value: <Money cents={refundCents} />, strong: true },
        ...(refunded
          ? [
              { label: 'To', value: 'Original payment method' },
              { label: 'Stays in the campaign', value: <Money cents={paidCents - refundCents} /> },
            ]
          : [{ label: 'New total', value: <Money cents={paidCents - refundCents} /> }]),
      ]}
      confirmLabel={refunded ? `Save and refund ${formatCents(refundCents)}` : 'Save'}
      onConfirm={onConfirm}
    />
  )
}
