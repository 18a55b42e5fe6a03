/** The words of the waitlist. No schemas: a first screen that imports them does not load zod. */

/** As the spec writes them: in lower case, unlike the roles of accounts. */
export const waitlistRoles = ['developer', 'tester'] as const
