/**
 * Tells whose an object at Stripe is. Everything that an installation makes carries its id. Anything without our id was made by
 * another installation on the same account, by another product or by hand, so we neither book it nor give it back.
 */
import type { Stripe } from 'stripe'
import type { StripeClient } from './client.ts'

type Us = Pick<StripeClient, 'installation'>
type Metadata = Stripe.Metadata | null | undefined

/** The metadata that we send to Stripe. */
export const marked = ({ installation }: Us, metadata: Record<string, string>): Record<string, string> => ({
  ...metadata,
  installation,
})

export const isOurs = ({ installation }: Us, metadata: Metadata): boolean => metadata?.['installation'] === installation

/** The id of another installation; undefined if the object is ours, or does not say whose it is. */
export const otherInstallation = ({ installation }: Us, metadata: Metadata): string | undefined => {
  const named = metadata?.['installation']
  return named === installation ? undefined : named
}

/**
 * For an object that names one of our subjects. If it carries another installation's id, it comes from a copy of our database with
 * another id. Then we cannot know whether the request was carried out, so we send nothing.
 */
export const assertOurs = (us: Us, { id, metadata }: { id: string; metadata?: Metadata }): void => {
  if (!isOurs(us, metadata))
    throw new Error(`${id} at Stripe is about something of ours, and was made by another installation`)
}
