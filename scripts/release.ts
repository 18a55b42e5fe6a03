/**
 * `npm run release`: makes the current state the next release. Writes its number, its newest migration and its functions'
 * signatures into migrations/release.json; later changes belong to the release after it (decision 047).
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationFolder } from '../src/kit/server/migrate.ts'
import {
  bodiesOf,
  type LastRelease,
  newestOf,
  readLastRelease,
  readMigrations,
  releaseFile,
} from '../src/kit/server/migrationFiles.ts'
import { calledOf } from './migration-laws/functions.ts'
import { loadModule } from './migration-laws/parsed.ts'
import { optionsOf } from './options.ts'

optionsOf({})
await loadModule()
const { migrations, functions, release } = await readMigrations(migrationFolder)
const last = await readLastRelease(migrationFolder)
if (last?.release === release) {
  process.stdout.write(
    `No migration or function has changed since release ${release}: it remains the current release.\n`,
  )
} else {
  const next: LastRelease = {
    release,
    newest: newestOf(migrations),
    bodies: bodiesOf(functions),
    functions: calledOf(functions),
  }
  await writeFile(join(migrationFolder, releaseFile), `${JSON.stringify(next, null, 2)}\n`)
  process.stdout.write(
    `migrations/${releaseFile} says that this is release ${release}. Commit it, and deploy that commit.\n`,
  )
}
