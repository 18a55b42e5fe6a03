/** One PostgreSQL for all test files, with a migrated template from which their databases are cloned. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../kit/postgres/embedded.ts'
import { makeTemplate } from './databases.ts'
import { migrateAndMakeQueues } from './template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string
    /** Tests create their folders in here, so they need not remove them. */
    scratch: string
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldtest-tests-'))
  const postgres = await startPostgres({
    dataDir,
    durable: false,
    settings: {
      // Each worker's application opens up to 31, and its tests start further processes.
      max_connections: String(100 * project.config.maxWorkers),
      // With many short connections, planning each statement five times per connection for its values is a seventh of the run.
      plan_cache_mode: 'force_generic_plan',
      // Shows `npm run mutate` which test calls which function.
      track_functions: 'all',
    },
  })
  await makeTemplate(postgres.connectionString, migrateAndMakeQueues)
  project.provide('serverUrl', postgres.connectionString)
  const scratch = join(dataDir, 'scratch')
  await mkdir(scratch)
  project.provide('scratch', scratch)
  return async () => {
    await postgres.stop()
    // These are a hundred thousand files, and nobody has to wait until they are gone.
    spawn('rm', ['-rf', dataDir], { detached: true, stdio: 'ignore' }).unref()
  }
}
