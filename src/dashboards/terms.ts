/** Terms of the figures, apart from the schemas so that a first screen does not load zod. */
export const periods = ['30d', '90d', '6m', '12m', 'all'] as const
