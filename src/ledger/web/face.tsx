/** What other slices' screens may use of the ledger. */
export { PaymentMethodCard } from './PaymentMethodCard.tsx'
export { TransactionBadge } from './TransactionBadge.tsx'
