/** What the workers share: one PostgreSQL with a database to clone, on which the product has started once. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../src/kit/postgres/embedded.ts'
import { makeTemplate } from '../../src/testing/databases.ts'
import { databaseServerVariable, startProduct } from './product.ts'

export default async (): Promise<() => Promise<void>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldtest e2e '))
  // The product of each worker opens up to 31.
  const postgres = await startPostgres({ dataDir, durable: false, settings: { max_connections: '300' } })
  // The first start migrates, creates the admin, and builds the page if its sources are newer.
  await makeTemplate(postgres.connectionString, async url => (await startProduct(dataDir, url)).stop())
  process.env[databaseServerVariable] = postgres.connectionString
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
