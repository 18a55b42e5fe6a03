/**
 * CAMPAIGN: one of the caller's own campaigns, its roster or its proofs. TEST: one of the caller's own tests, or their place on a
 * bench. BUG: a bug, its thread or the change log. MONEY: balance and statement. NOTICES: notifications. QUEUE: what waits for
 * admins.
 */
export const topics = ['CAMPAIGN', 'TEST', 'BUG', 'MONEY', 'NOTICES', 'QUEUE'] as const
export type Topic = (typeof topics)[number]
