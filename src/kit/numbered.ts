/** Lists with page numbers: limits that the server and the page share. */

/** Pages up to this one are found by number; further ones only by the `Link` header's cursors. */
export const lastPageByNumber = 500

/** Totals are exact up to this many, and estimated beyond. */
export const exactTotals = 10_000
