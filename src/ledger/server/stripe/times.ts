/** Stripe counts whole seconds since 1970. */
import type { Instant } from '../../../kit/clock.ts'

export const instantOf = (seconds: number): Instant => new Date(seconds * 1000).toISOString()

export const secondsOf = (at: Instant): number => Math.floor(Date.parse(at) / 1000)
