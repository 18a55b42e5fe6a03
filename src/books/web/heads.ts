/** The texts of the screen's header, available before its code has loaded (src/app/web/shells.tsx). */
export const booksHead = {
  title: 'Ledger',
  description: 'Every account, its balance and its transfers: now, or as of any transfer.',
}
