/** The words of the figures. No schemas: a first screen that imports them does not load zod. */
export const periods = ['30d', '90d', '6m', '12m', 'all'] as const
