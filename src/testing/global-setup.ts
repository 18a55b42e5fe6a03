/** One PostgreSQL for all test files, with a migrated template that every database of theirs is cloned from. */
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
    /** For folders of the tests, which nobody else has to remove. */
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
      max_connections: '300',
      // Connections are many and short: to plan each statement for its values, five times on each, is a seventh of the run.
      plan_cache_mode: 'force_generic_plan',
      // So that `npm run mutate` can see which test calls which function.
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
    // A hundred thousand files: nobody has to wait for that.
    spawn('rm', ['-rf', dataDir], { detached: true, stdio: 'ignore' }).unref()
  }
}
