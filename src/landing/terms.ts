/** Terms of the waitlist, apart from the schemas so that a first screen does not load zod. */

/** Lower case as in the spec, unlike the roles of accounts. */
export const waitlistRoles = ['developer', 'tester'] as const
