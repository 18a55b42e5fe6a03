/** Terms of the waitlist, separate from the schemas, so that an initial screen does not load zod. */

/** Lower case as in the spec, unlike the roles of accounts. */
export const waitlistRoles = ['developer', 'tester'] as const
