/** The waitlist of the landing page (spec §2, §3, §5; product.md §1). */
import { z } from 'zod'
import { Registration } from '../accounts/contract.ts'
import { countryCodeOf, countryCodes } from '../kit/countries.ts'
import { endpoints } from '../kit/endpoint.ts'
import { EmailAddress, filter, Id, Instant, line, numberedQuery, optionalLine } from '../kit/schemas.ts'
import { joinEndpoint } from './joinEndpoint.ts'
import { pricingEndpoint } from './pricingEndpoint.ts'
import { waitlistRoles } from './terms.ts'

export type WaitlistRole = (typeof waitlistRoles)[number]

/** A country's code or English name. */
const Country = line('Country', 60).transform((name, context) => {
  const code = countryCodeOf(name)
  if (code !== null) return code
  context.addIssue({ code: 'custom', message: 'Choose a country from the list' })
  return z.NEVER
})

const noSuchRole = 'Role must be developer or tester'

export const WaitlistSignUp = z.object({
  email: Registration.shape.email,
  country: Country,
  role: z.enum(waitlistRoles, { error: noSuchRole }).default('developer'),
})
export type WaitlistSignUp = z.output<typeof WaitlistSignUp>

export const WaitlistEntry = z.object({
  id: Id,
  email: EmailAddress,
  country: z.enum(countryCodes),
  role: z.enum(waitlistRoles),
  /** When the address first signed up. */
  createdAt: Instant,
})
export type WaitlistEntry = z.output<typeof WaitlistEntry>

export const WaitlistQuery = numberedQuery(20, {
  search: optionalLine('Search', 100).optional(),
  role: filter(waitlistRoles, noSuchRole),
})
export type WaitlistQuery = z.output<typeof WaitlistQuery>

export const landingApi = endpoints({
  joinWaitlist: {
    ...joinEndpoint,
    body: WaitlistSignUp,
    // Returns what was sent. What is stored would reveal to anybody who types an address whether it is on the list, and with which
    // country.
    reply: z.object({ email: EmailAddress, country: z.string(), role: z.enum(waitlistRoles) }),
    status: 201,
  },
  pricing: { ...pricingEndpoint, reply: z.object({ feeBasisPoints: z.int() }) },
  waitlist: {
    method: 'GET',
    path: '/admin/waitlist',
    replica: true,
    access: 'ADMIN',
    summary: 'Waitlist entries, newest first.',
    query: WaitlistQuery,
    pageOf: WaitlistEntry,
    numbered: true,
  },
})
