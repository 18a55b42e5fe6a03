import type { WaitingPayment } from '../../ledger/contract.ts'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { paymentEnds } from './paymentWords.ts'

type Props = { payment: WaitingPayment; onClose: () => void; onConfirm: () => Promise<unknown> }

/** Asks for confirmation before saving an edit that ends the payment on its way. */
export const PaymentEndsDialog = ({ payment, onClose, onConfirm }: Props) => (
  <ConfirmDialog
    open
    onOpenChange={onClose}
    title={payment.checkoutUrl === null ? 'Save and send the payment back?' : 'Save and stop the payment?'}
    description={paymentEnds(payment, 'Saving')}
    confirmLabel={payment.checkoutUrl === null ? 'Save and send it back' : 'Save and stop it'}
    onConfirm={onConfirm}
  />
)
