/** NDAs: the versioned text that testers accept before they get the app (product.md §3). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Id, Instant, line, SequenceQuery, text, wholeNumber } from '../kit/schemas.ts'
import { ndaLimits } from './terms.ts'

const Version = z.object({ version: z.int(), text: z.string(), setAt: Instant })

export const Nda = z.object({
  campaign: z.object({ id: Id, title: z.string() }),
  /** What testers are asked to accept; null if the campaign asks for no NDA. */
  current: Version.nullable(),
  /** What the calling tester accepted last: under which name, when, and from which address. */
  accepted: Version.extend({ name: z.string(), ip: z.string(), acceptedAt: Instant }).nullable(),
  /** For the owner: our template with both names filled in, and whether the NDA can be changed. */
  template: z.string().nullable(),
  mayChange: z.boolean(),
  /** For the owner and admins: all versions, newest first, without their texts. */
  versions: z.array(Version.omit({ text: true })),
})
export type Nda = z.output<typeof Nda>

export const NdaAcceptance = z.object({
  id: z.int(),
  alias: z.string(),
  version: z.int(),
  acceptedAt: Instant,
  /** For admins. Null for the owner, who gets the names in the export. */
  name: z.string().nullable(),
  ip: z.string().nullable(),
})
export type NdaAcceptance = z.output<typeof NdaAcceptance>

/** The tester's full name, and the version that they were shown. */
export const AcceptNda = z.object({
  name: line('Your full name', ndaLimits.name).min(2, { error: 'Type your full name' }),
  version: wholeNumber('The version', 1, 1_000_000),
})
export type AcceptNda = z.output<typeof AcceptNda>

export const NewNda = z.object({ text: text('The text', ndaLimits.text) })

const ofOwner = { params: ById, reply: Nda, access: 'DEVELOPER' } as const

export const ndaApi = endpoints({
  get: {
    method: 'GET',
    path: '/campaigns/:id/nda',
    access: 'SIGNED_IN',
    summary: 'The NDA of a campaign that the caller may see, and the version that the calling tester has accepted.',
    params: ById,
    reply: Nda,
  },
  version: {
    method: 'GET',
    path: '/campaigns/:id/nda/text',
    access: ['DEVELOPER', 'ADMIN'],
    summary: 'The text of one version, by default the current one, for the owner and admins.',
    params: ById,
    query: z.object({
      version: z.coerce
        .number({ error: 'The version must be a number' })
        .int({ error: 'The version must be a whole number' })
        .min(1, { error: 'The version must be at least 1' })
        .max(1_000_000, { error: 'The version may be at most 1,000,000' })
        .optional(),
    }),
    reply: Version,
  },
  set: {
    ...ofOwner,
    method: 'PUT',
    path: '/campaigns/:id/nda',
    summary:
      'Require an NDA, or change its text. A changed text becomes a new version, which current testers are asked to accept. 409 once the campaign has ended.',
    body: NewNda,
    errors: ['WRONG_STATE', 'LIMIT_REACHED'],
  },
  remove: {
    ...ofOwner,
    method: 'DELETE',
    path: '/campaigns/:id/nda',
    summary: 'Stop requiring an NDA. Testers held back by it get the app; past acceptances stay on record.',
    errors: ['WRONG_STATE'],
  },
  acceptances: {
    method: 'GET',
    path: '/campaigns/:id/nda/acceptances',
    replica: true,
    access: ['DEVELOPER', 'ADMIN'],
    summary: 'Who accepted which version, newest first: by alias for the owner, with name and IP address for admins.',
    params: ById,
    query: SequenceQuery,
    pageOf: NdaAcceptance,
  },
  export: {
    method: 'POST',
    path: '/campaigns/:id/nda/export',
    access: 'DEVELOPER',
    summary: 'All acceptances with the typed names, as CSV. Each export is recorded in the audit log.',
    params: ById,
    file: ['text/csv'],
    errors: ['TOO_MANY_REQUESTS'],
  },
})
