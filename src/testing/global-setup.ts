/** One PostgreSQL for all test files, with a migrated template that each file's database is cloned from. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { allJobs } from '../app/server/routes.ts'
import { startPostgres } from '../kit/postgres/embedded.ts'
import { connect, disconnect } from '../kit/server/db.ts'
import { startJobs, stopJobs } from '../kit/server/jobs.ts'
import { migrate } from '../kit/server/migrate.ts'
import { makeTemplate } from './databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldtest-tests-'))
  const postgres = await startPostgres({ dataDir, durable: false })
  await makeTemplate(postgres.connectionString, migrateAndMakeQueues)
  project.provide('serverUrl', postgres.connectionString)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const migrateAndMakeQueues = async (url: string) => {
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
