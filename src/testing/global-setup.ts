/** One PostgreSQL for all test files, with a migrated template that each file's database is cloned from. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { connect, disconnect } from '../kit/server/db.ts'
import { startJobs, stopJobs } from '../kit/server/jobs.ts'
import { migrate } from '../kit/server/migrate.ts'
import { startPostgres } from '../kit/postgres/embedded.ts'
import { allJobs } from '../app/server/routes.ts'
import { templateDatabase, urlOf } from './databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldtest-tests-'))
  const postgres = await startPostgres({ dataDir, durable: false })
  await makeTemplate(postgres.connectionString)
  project.provide('serverUrl', postgres.connectionString)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const makeTemplate = async (serverUrl: string) => {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${templateDatabase}`)
  await client.end()
  const url = urlOf(serverUrl, templateDatabase)
  await migrate(url)
  connect({ url })
  await startJobs(allJobs, {
    work: false,
    onError: error => {
      throw error
    },
  })
  await stopJobs()
  await disconnect()
}
