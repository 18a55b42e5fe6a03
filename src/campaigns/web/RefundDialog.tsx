import { type Cents, formatCents } from '../../kit/money.ts'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'

type Props = { refundCents: Cents; paidCents: Cents; onClose: () => void; onConfirm: () => Promise<unknown> }

/** Asked before an edit is saved that makes the campaign cheaper than what was paid. */
export const RefundDialog = ({ refundCents, paidCents, onClose, onConfirm }: Props) => (
  <ConfirmDialog
    open
    onOpenChange={onClose}
    title="Save and refund the difference?"
    description="The new terms cost less than you paid."
    items={[
      { label: 'Refund', value: <Money cents={refundCents} />, strong: true },
      { label: 'To', value: 'Original payment method' },
      { label: 'Stays in the campaign', value: <Money cents={paidCents - refundCents} /> },
    ]}
    confirmLabel={`Save and refund ${formatCents(refundCents)}`}
    onConfirm={onConfirm}
  />
)
