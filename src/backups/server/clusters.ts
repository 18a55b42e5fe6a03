/** Starts the PostgreSQL of a recovered cluster: the embedded one, or the Debian package of the version that made it. */
import { accessSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../kit/postgres/embedded.ts'
import { chooseIdentity, giveTo } from '../../kit/postgres/identity.ts'
import { openLogFile } from '../../kit/postgres/logfile.ts'
import { type Postmaster, startPostmaster, stopPostmaster } from '../../kit/postgres/postmaster.ts'
import type { Manifest } from './bases.ts'

export type Started = { url: string; stop: () => Promise<void> }

export const debianPrograms = (major: number): string => `/usr/lib/postgresql/${major}/bin`

/** The path of one of Debian's PostgreSQL programs. If it is missing, the error says what to install. */
const programOf = (major: number, name: string, debianPackage: string): string => {
  const path = join(debianPrograms(major), name)
  try {
    accessSync(path)
    return path
  } catch {
    throw new Error(`This needs ${path}, which is missing. On Debian: apt-get install ${debianPackage}-${major}`)
  }
}

/** Starts the cluster in `dataDir`/postgres. */
export const startCluster = (
  dataDir: string,
  base: Manifest,
  settings: Record<string, string> = {},
): Promise<Started> => (base.embedded ? startEmbedded(dataDir, settings) : startGiven(dataDir, base, settings))

const startEmbedded = async (dataDir: string, settings: Record<string, string>): Promise<Started> => {
  const { connectionString: url, stop } = await startPostgres({ dataDir, settings })
  return { url, stop }
}

/**
 * Finds the owner of the product's tables. Asks as `role`, or as the superuser if that role does not exist or may not sign in,
 * which is so for the product's own role in older backups.
 */
export const ownerThere = async (urlAs: (role: string) => string, role: string): Promise<string> => {
  let refused: unknown
  for (const asking of new Set([role, 'postgres'])) {
    const client = new pg.Client({ connectionString: urlAs(asking) })
    try {
      await client.connect()
    } catch (error) {
      if ((error as { code?: string }).code !== mayNotSignIn) throw error
      refused ??= error
      continue
    }
    try {
      const { rows } = await client.query<{ owner: string }>(
        `select pg_get_userbyid(relowner) as owner from pg_class where oid = to_regclass('public.schema_migrations')`,
      )
      return rows[0]?.owner ?? role
    } finally {
      await client.end()
    }
  }
  throw refused
}
const mayNotSignIn = '28000'

/**
 * A given database brings its own configuration, users and access rules, but not their passwords. During a restore none of these
 * apply, and it listens only in a folder that nobody else can enter.
 */
const startGiven = async (
  dataDir: string,
  { major, role, database }: Manifest,
  settings: Record<string, string>,
): Promise<Started> => {
  const place = { dataDir, cluster: join(dataDir, 'postgres'), postgres: programOf(major, 'postgres', 'postgresql') }
  const own = mkdtempSync(join(tmpdir(), 'fieldtest-restore-'))
  const [config, access] = [join(own, 'postgresql.conf'), join(own, 'pg_hba.conf')]
  writeFileSync(config, '')
  writeFileSync(access, 'local all all trust\n')
  const identity = chooseIdentity(place)
  giveTo(identity, place.cluster)
  giveTo(identity, own)
  const logFile = openLogFile(dataDir)
  const local = { config_file: config, hba_file: access, listen_addresses: '', unix_socket_directories: own }
  let started: Postmaster | undefined
  try {
    const running = await startPostmaster(
      { ...place, durable: true, settings: { ...local, ...settings } },
      identity,
      logFile,
    )
    started = running
    const urlAs = (user: string) =>
      `postgres://${encodeURIComponent(user)}@/${encodeURIComponent(database)}?host=${encodeURIComponent(own)}&port=${running.port}`
    return {
      url: urlAs(await ownerThere(urlAs, role)),
      stop: async () => {
        await stopPostmaster(running)
        logFile.close()
        rmSync(own, { recursive: true, force: true })
      },
    }
  } catch (error) {
    if (started) await stopPostmaster(started)
    logFile.close()
    rmSync(own, { recursive: true, force: true })
    throw error
  }
}
