import pg from 'pg'

/**
 * A separate connection for work that is done once, such as migrations. If it breaks, as it does when the server is stopped
 * midway, the query in flight fails; without this listener the break would also end the process.
 */
export const newClient = (config: pg.ClientConfig): pg.Client => {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  return client
}
