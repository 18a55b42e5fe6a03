/** Migrations of rows from before, which a test makes itself. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationFolder } from '../kit/server/migrate.ts'
import { statementsOf } from '../kit/server/migrationFiles.ts'
import type { TestApp } from './app.ts'

/** Each statement of a file that goes in batches, once more. */
export const migrateAgain = async ({ look }: Pick<TestApp, 'look'>, file: string): Promise<void> => {
  for (const statement of statementsOf(await readFile(join(migrationFolder, file), 'utf8'))) await look(statement)
}
