/** Separate from its schemas, for the same reason as joinEndpoint.ts. */
export const pricingEndpoint = {
  method: 'GET',
  path: '/pricing',
  access: 'PUBLIC',
  summary: 'The fee of a campaign created now, for the calculator on the landing page.',
} as const
