/** Apart from its schemas, as joinEndpoint.ts is. */
export const pricingEndpoint = {
  method: 'GET',
  path: '/pricing',
  access: 'PUBLIC',
  summary: 'The fee of a campaign created now, for the calculator of the landing page.',
} as const
