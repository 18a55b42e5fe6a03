/** What new migrations may do while servers are working (decision 047): prints each breach, and fails if there is one. */
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationFolder } from '../src/kit/server/migrate.ts'
import { readLastRelease, readMigrations } from '../src/kit/server/migrationFiles.ts'
import { calledRetired, missedFunctions } from './migration-laws/functions.ts'
import { breaches } from './migration-laws/laws.ts'
import { loadModule } from './migration-laws/parsed.ts'

const root = join(import.meta.dirname, '..')
await loadModule()
const { migrations, functions } = await readMigrations(migrationFolder)
const last = (await readLastRelease(migrationFolder)) ?? { release: 0, functions: {} }

const sources = []
for await (const name of glob('src/**/server/**/*.ts', { cwd: root }))
  if (!name.endsWith('.test.ts')) sources.push({ name, text: await readFile(join(root, name), 'utf8') })

const found = [
  ...breaches(migrations, { release: last.release, calledFunctions: new Set(Object.keys(last.functions)) }),
  ...missedFunctions(functions, last),
  ...calledRetired(functions, sources),
]
if (migrations.length === 0 || functions.length === 0 || sources.length === 0) found.push('Nothing was read.')
for (const breach of found) process.stderr.write(`${breach}\n`)
process.stdout.write(`${migrations.length} migrations and ${functions.length} functions, ${found.length} breaches\n`)
process.exitCode = found.length > 0 ? 1 : 0
