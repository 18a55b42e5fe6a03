/** The landing page's only call. It is separate from its schemas, so that the page does not load zod. */
export const joinEndpoint = {
  method: 'POST',
  path: '/waitlist',
  access: 'PUBLIC',
  summary: 'Join the waitlist. Signing up again with the same address changes nothing.',
} as const
