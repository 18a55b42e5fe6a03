/** Play addresses: the Google accounts of testers' Play Stores, for the tester lists of closed tests. */
import { z } from 'zod'
import { Instant } from '../kit/schemas.ts'

/** In lower case, like Google shows it. */
export const PlayAddress = z
  .string({ error: 'Enter the Google account that your Play Store uses' })
  .trim()
  .toLowerCase()
  .min(1, { error: 'Enter the Google account that your Play Store uses' })
  .max(254, { error: 'The address may have at most 254 characters' })
  .pipe(z.email({ error: 'Enter a valid email address' }))

const notAgreed = 'To join, agree to this: testers get in through the list'

export const PlayConsent = z.object({
  playEmail: PlayAddress,
  consent: z.boolean({ error: notAgreed }).refine(agreed => agreed, { error: notAgreed }),
})
export type PlayConsent = z.output<typeof PlayConsent>

/** Part of the export of one's own data; the address is null once it is erased. */
export const OwnPlayAddress = z.object({
  participationId: z.string(),
  playEmail: z.string().nullable(),
  consentVersion: z.int(),
  consentedAt: Instant,
  erasedAt: Instant.nullable(),
})
export type OwnPlayAddress = z.output<typeof OwnPlayAddress>
