/**
 * CAMPAIGN: one of the caller's own, its roster or its proofs. TEST: one of the caller's own, or their place on a bench. BUG: a
 * bug, its thread or the change log. MONEY: balance and statement. NOTICES: the bell. QUEUE: what waits for admins, and what
 * one of them has done.
 */
export const topics = ['CAMPAIGN', 'TEST', 'BUG', 'MONEY', 'NOTICES', 'QUEUE'] as const
export type Topic = (typeof topics)[number]
