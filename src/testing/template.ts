/** The database that every test's database is a copy of. */
import { allJobs } from '../app/server/routes.ts'
import { connect, disconnect } from '../kit/server/db.ts'
import { startJobs, stopJobs } from '../kit/server/jobs.ts'
import { migrate, migrationFolder } from '../kit/server/migrate.ts'
import { readMigrations } from '../kit/server/migrationFiles.ts'
import { settleProductRole } from '../kit/server/roles.ts'
import { productUrlOf } from './databases.ts'

export const migrateAndMakeQueues = async (url: string) => {
  await migrate(url)
  const { release } = await readMigrations(migrationFolder)
  await settleProductRole({ url: productUrlOf(url), ownerUrl: url, keepsSession: true, release })
  connect({ url: productUrlOf(url), ownerUrl: url })
  await startJobs(allJobs, {
    work: false,
    onError: error => {
      throw error
    },
  })
  await stopJobs()
  await disconnect()
}
