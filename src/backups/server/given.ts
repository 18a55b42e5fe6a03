/** Restores into a given database: the restored cluster is copied into an empty database, in one transaction. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import type { Manifest } from './bases.ts'
import { debianPrograms } from './clusters.ts'

/** Names the database for people, without its password. */
export const saidOf = (url: string): string => {
  const { database, host, port } = new pg.Client({ connectionString: url })
  return `The database ${database} on ${host}:${port}`
}

export const assertEmpty = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(`select format('%I.%I', n.nspname, c.relname) as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') limit 1`)
    if (rows[0]) throw new Error(`${saidOf(url)} is not empty: it has ${rows[0].name}. Restore into an empty database.`)
  } finally {
    await client.end()
  }
}

/** Debian's oldest programs that can read this version. If there are none, the error says what to install. */
export const clientPrograms = (major: number): string => {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').map(Number) : []
  const found = versions
    .filter(version => version >= major)
    .toSorted((a, b) => a - b)
    .find(version => existsSync(join(debianPrograms(version), 'pg_dump')))
  if (found === undefined)
    throw new Error(
      `This needs pg_dump of PostgreSQL ${major} or newer, which is missing. On Debian: apt-get install postgresql-client-${major}`,
    )
  return debianPrograms(found)
}

export const pourInto = async (to: string, from: string, { major }: Manifest): Promise<void> => {
  const programs = clientPrograms(major)
  const dump = spawn(join(programs, 'pg_dump'), ['--no-owner', '--no-privileges', '--dbname', from], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const load = spawn(
    join(programs, 'psql'),
    [
      '--no-psqlrc',
      '--quiet',
      '--single-transaction',
      '--set',
      'ON_ERROR_STOP=1',
      '--output',
      '/dev/null',
      '--dbname',
      to,
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  )
  load.stdin.on('error', () => undefined)
  // Standard input is closed only after a complete dump, because psql then commits.
  dump.stdout.pipe(load.stdin, { end: false })
  const loading = endOf(load, 'psql')
  const dumped = await Promise.race([endOf(dump, 'pg_dump'), loading.then(failure => failure ?? 'psql ended early.')])
  if (dumped === undefined) load.stdin.end()
  else for (const child of [dump, load]) child.kill()
  const failure = dumped ?? (await loading)
  if (failure !== undefined) throw new Error(failure)
  await assertPaused(to)
}

/** `job_pauses` is one of the dump's last tables, and its row keeps the copy from paying anyone: with the row, the copy is complete. */
const assertPaused = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from job_pauses where resumed_at is null')
    if (rowCount !== 1)
      throw new Error('The jobs of the restored database are not paused: do not start a server on it.')
  } finally {
    await client.end()
  }
}

/** Returns undefined on success. */
const endOf = async (child: ReturnType<typeof spawn>, name: string): Promise<string | undefined> => {
  const said = text(child.stderr!)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    // 'close' comes after the exit, once all output has been passed on.
    child.once('close', resolve)
  })
  return code === 0 ? undefined : `${name} failed: ${(await said).trim() || code}`
}
