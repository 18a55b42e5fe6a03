import pg from 'pg'

/**
 * A connection of its own for work that is done once, such as migrations. When it breaks, as it does when the server is stopped
 * in the middle, the query in flight says so; without a listener the break would end the process as well.
 */
export const newClient = (config: pg.ClientConfig): pg.Client => {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  return client
}
