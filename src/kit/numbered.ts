/** Lists with page numbers, as the server and the page know them. */

/** Up to this page a number is enough; beyond it only the `Link` header's cursors lead on. */
export const lastPageByNumber = 500

/** Totals are exact up to this many, and estimated beyond. */
export const exactTotals = 10_000
