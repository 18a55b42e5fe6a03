/**
 * Whose something at Stripe is. All that an installation makes there carries its id; what does not carry it was made by another
 * installation on the same account, by another product or by hand, and is neither booked nor given back here.
 */
import type { Stripe } from 'stripe'
import type { StripeClient } from './client.ts'

type Us = Pick<StripeClient, 'installation'>
type Metadata = Stripe.Metadata | null | undefined

/** What is sent to Stripe as metadata. */
export const marked = ({ installation }: Us, metadata: Record<string, string>): Record<string, string> => ({
  ...metadata,
  installation,
})

export const isOurs = ({ installation }: Us, metadata: Metadata): boolean => metadata?.['installation'] === installation

/** Undefined of what is ours, or of nobody who says so. */
export const otherInstallation = ({ installation }: Us, metadata: Metadata): string | undefined => {
  const named = metadata?.['installation']
  return named === installation ? undefined : named
}

/**
 * Of what names one of our subjects. A copy of our database that was given another id has the same ones: whether it is done then,
 * nobody knows, and nothing is sent.
 */
export const assertOurs = (us: Us, { id, metadata }: { id: string; metadata?: Metadata }): void => {
  if (!isOurs(us, metadata))
    throw new Error(`${id} at Stripe is about something of ours, and was made by another installation`)
}
