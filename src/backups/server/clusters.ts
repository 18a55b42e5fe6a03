/** Starts the PostgreSQL of a recovered cluster: the embedded one, or the Debian package's of the version that made it. */
import { accessSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../kit/postgres/embedded.ts'
import { chooseIdentity, giveTo } from '../../kit/postgres/identity.ts'
import { openLogFile } from '../../kit/postgres/logfile.ts'
import { startPostmaster, stopPostmaster } from '../../kit/postgres/postmaster.ts'
import type { Manifest } from './bases.ts'

export type Started = { url: string; stop: () => Promise<void> }

export const debianPrograms = (major: number): string => `/usr/lib/postgresql/${major}/bin`

/** The path of a program of Debian's PostgreSQL; says what to install when there is none. */
const programOf = (major: number, name: string, debianPackage: string): string => {
  const path = join(debianPrograms(major), name)
  try {
    accessSync(path)
    return path
  } catch {
    throw new Error(`This needs ${path}, which is missing. On Debian: apt-get install ${debianPackage}-${major}`)
  }
}

/** Of a cluster in `dataDir`/postgres. */
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
 * A given database comes with its own configuration, users and rules of access, and without their passwords: for the time of
 * a restore it has none of them, and listens only in a folder that nobody else can enter.
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
  try {
    const started = await startPostmaster(
      { ...place, durable: true, settings: { ...local, ...settings } },
      identity,
      logFile,
    )
    const url = `postgres://${encodeURIComponent(role)}@/${encodeURIComponent(database)}?host=${encodeURIComponent(own)}&port=${started.port}`
    return {
      url,
      stop: async () => {
        await stopPostmaster(started)
        logFile.close()
        rmSync(own, { recursive: true, force: true })
      },
    }
  } catch (error) {
    logFile.close()
    rmSync(own, { recursive: true, force: true })
    throw error
  }
}
