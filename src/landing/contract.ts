/** The waitlist of the landing page (spec §2, §3, §5; product.md §1). */
import { z } from 'zod'
import { Registration } from '../accounts/contract.ts'
import { countryCodeOf, countryCodes } from '../kit/countries.ts'
import { endpoints } from '../kit/endpoint.ts'
import { filter, Id, Instant, line, numberedPage, optionalLine, pageQuery } from '../kit/schemas.ts'
import { joinLine } from './joinLine.ts'
import { waitlistRoles } from './terms.ts'

export type WaitlistRole = (typeof waitlistRoles)[number]

/** A country's code, or its English name. */
const Country = line('Country', 60).transform((name, context) => {
  const code = countryCodeOf(name)
  if (code !== null) return code
  context.addIssue({ code: 'custom', message: 'Choose a country from the list' })
  return z.NEVER
})

const noSuchRole = 'Role has to be developer or tester'

export const WaitlistWish = z.object({
  email: Registration.shape.email,
  country: Country,
  role: z.enum(waitlistRoles, { error: noSuchRole }).default('developer'),
})
export type WaitlistWish = z.output<typeof WaitlistWish>

export const WaitlistEntry = z.object({
  id: Id,
  email: z.string(),
  country: z.enum(countryCodes),
  role: z.enum(waitlistRoles),
  /** When the address was first left. */
  createdAt: Instant,
})
export type WaitlistEntry = z.output<typeof WaitlistEntry>

export const WaitlistQuery = pageQuery(20).extend({
  search: optionalLine('Search', 100).optional(),
  role: filter(waitlistRoles, noSuchRole),
})
export type WaitlistQuery = z.output<typeof WaitlistQuery>

export const landingApi = endpoints({
  joinWaitlist: {
    ...joinLine,
    body: WaitlistWish,
    // Says nothing about whether the address was known.
    reply: z.object({ email: z.string(), country: z.string(), role: z.enum(waitlistRoles) }),
    status: 201,
  },
  waitlist: {
    method: 'GET',
    path: '/admin/waitlist',
    access: 'ADMIN',
    summary: 'Who waits, the newest first.',
    query: WaitlistQuery,
    reply: numberedPage(WaitlistEntry),
  },
})
