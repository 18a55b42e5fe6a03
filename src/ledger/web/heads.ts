/** The texts of the screens' headers, available before the screens' code has loaded (src/app/web/shells.tsx). */
export const paymentsHead = { title: 'Payments', description: 'Your campaign payments and refunds.' }
export const balanceHead = { title: 'Balance and Earnings' }
/** The titles' beginnings, before the month and the year. */
export const statementOf = 'Statement, '
export const summaryOf = 'Summary of '
export const statementsHead = {
  title: 'Statements',
  description: 'By month and by year, and your transactions as a table for bookkeeping.',
}

export const creditNoteTitle = 'Credit note'
export const payoutAdviceTitle = 'Payout advice'
