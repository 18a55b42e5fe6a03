/** What the settings are until an admin changes them. No schemas: a first screen that imports them does not load zod. */
import type { BasisPoints, Cents } from '../kit/money.ts'

/** 15 % of testers × pay (spec §9). */
export const platformFee: BasisPoints = 1500

/** Spec §9. */
export const minimumWithdrawalCents: Cents = 1000

/**
 * Hours without a check-in, or without a proof that is due, until a tester is at risk and then dropped; and of silence
 * until a proof is verified (product.md §3).
 */
export const atRiskHours = 48
export const dropHours = 72
export const reviewHours = 72
