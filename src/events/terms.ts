/**
 * CAMPAIGN: one of the caller's own, its roster or its proofs. TEST: one of the caller's own. MONEY: balance and statement.
 * NOTICES: the bell. QUEUE: what waits for admins.
 */
export const topics = ['CAMPAIGN', 'TEST', 'MONEY', 'NOTICES', 'QUEUE'] as const
export type Topic = (typeof topics)[number]
