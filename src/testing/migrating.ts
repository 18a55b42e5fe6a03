/** Runs a migration again, on old rows that the test has made. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationFolder } from '../kit/server/migrate.ts'
import { statementsOf } from '../kit/server/migrationFiles.ts'
import type { TestApp } from './app.ts'

/** Runs each statement of a migration file that works in batches once more. */
export const migrateAgain = async ({ look }: Pick<TestApp, 'look'>, file: string): Promise<void> => {
  for (const statement of statementsOf(await readFile(join(migrationFolder, file), 'utf8'))) await look(statement)
}
