/** What other slices' screens may use of the ledger. */
export { TransactionBadge } from './TransactionBadge.tsx'
