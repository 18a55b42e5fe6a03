/** The call that the landing page makes, apart from its schemas: they would bring zod to a page that needs none. */
export const joinLine = {
  method: 'POST',
  path: '/waitlist',
  access: 'PUBLIC',
  summary: 'Join the waitlist. An address that is on it already keeps its place and gets the new answers.',
} as const
