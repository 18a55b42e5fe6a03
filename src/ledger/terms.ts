/** Enums of the ledger. No schemas: a first screen that imports them must not load zod. */
export const transactionTypes = ['CREDIT', 'DEBIT', 'PAYOUT', 'FEE'] as const
export const transactionStatuses = ['COMPLETED', 'PENDING', 'FAILED', 'REFUNDED'] as const
export const withdrawalStatuses = ['PENDING', 'COMPLETED', 'FAILED'] as const
