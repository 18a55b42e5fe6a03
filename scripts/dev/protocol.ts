/** What the processes of `npm run dev` send each other. */

/** Response header that names the HTML file, from the project root, which the proxy has to send instead. */
export const pageHeader = 'x-dev-page'

export type ToServer = { databaseUrl: string; ownerUrl: string }
/** The server listens on this port of 127.0.0.1. */
export type FromServer = { port: number }
