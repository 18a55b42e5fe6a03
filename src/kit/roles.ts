/** The roles of users (spec §6). ADMIN cannot be chosen at registration. */
export const roles = ['DEVELOPER', 'TESTER', 'ADMIN'] as const
export type Role = (typeof roles)[number]
