import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { DataFolderInUse, startPostgres, type EmbeddedPostgres } from './embedded.ts'

// Each test starts a database of its own, which takes longer on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const folders: string[] = []
const started: EmbeddedPostgres[] = []
const owners: ChildProcess[] = []

let used: string

beforeAll(async () => {
  used = mkdtempSync(join(tmpdir(), 'fieldtest-postgres-'))
  await (await startPostgres({ dataDir: used, durable: false })).stop()
})
afterAll(() => rmSync(used, { recursive: true, force: true }))

afterEach(async () => {
  for (const owner of owners.splice(0)) owner.kill('SIGKILL')
  await Promise.all(started.splice(0).map(postgres => postgres.stop()))
  for (const folder of folders.splice(0)) {
    await expect.poll(() => processesOn(folder), { timeout: 10_000 }).toEqual([])
    rmSync(folder, { recursive: true, force: true })
  }
})

test('what was written survives a stop and a start', async () => {
  const dataDir = newFolder()
  const first = await start(dataDir)
  await query(first.connectionString, 'CREATE TABLE note (text text)')
  await query(first.connectionString, `INSERT INTO note VALUES ('Łódź')`)
  await first.stop()
  const second = await start(dataDir)
  expect(await query(second.connectionString, 'SELECT * FROM note')).toEqual([{ text: 'Łódź' }])
})

test('nothing is started on an unfinished restore', async () => {
  const dataDir = newFolder()
  mkdirSync(join(dataDir, 'restore.unfinished'))
  await expect(start(dataDir)).rejects.toThrow('is still running, or was interrupted')
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
})

test.each([
  [
    'says so when the disk has little left',
    999_999_999,
    /initdb failed \([^]*\nThe disk of .* has only \d+ MB left, and a database needs 999999999\./,
  ],
  ['does not blame a disk with room', 0, /initdb failed \((?![^]*The disk)/],
])('a database that cannot be made %s', async (_, minFreeMb, words) => {
  const script = `
    import { startPostgres } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)}
    await startPostgres({ dataDir: process.argv[1], durable: false, minFreeMb: ${minFreeMb} }).catch(error => console.log(error.message))`
  const dataDir = newFolder()
  // No file may become larger than 2 MB, and a new database's log takes 16.
  const limited = [
    '-c',
    'ulimit -f 2000; exec "$@"',
    'sh',
    process.execPath,
    '--input-type=module',
    '-e',
    script,
    dataDir,
  ]
  expect(execFileSync('bash', limited, { encoding: 'utf8' })).toMatch(words)
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
})

test('stopping leaves no process, may be repeated, and frees the folder', async () => {
  const dataDir = usedFolder()
  const postgres = await start(dataDir)
  expect(processesOn(dataDir)).not.toEqual([])
  await Promise.all([postgres.stop(), postgres.stop()])
  expect(processesOn(dataDir)).toEqual([])
  await (await start(dataDir)).stop()
})

test('the product’s role is not a superuser, its password is in a private file, and nobody can connect without that', async () => {
  const dataDir = newFolder()
  const { connectionString } = await start(dataDir)
  const [is] = await query(
    connectionString,
    `SELECT current_setting('is_superuser') AS superuser, current_setting('TimeZone') AS zone,
       pg_encoding_to_char(encoding) AS encoding, upper('ö') AS upper FROM pg_database WHERE datname = current_database()`,
  )
  expect(is).toEqual({ superuser: 'off', zone: 'UTC', encoding: 'UTF8', upper: 'Ö' })
  expect(statSync(join(dataDir, 'postgres/fieldtest-password')).mode & 0o777).toBe(0o600)
  const wrong = connectionString.replace(/:[^:@]+@/, ':wrong@')
  await expect(query(wrong, 'SELECT 1')).rejects.toThrow('password authentication failed')
})

test('after kill -9 of the server, no PostgreSQL stays behind, and what was committed is kept', async () => {
  const dataDir = usedFolder()
  const owner = await startInChild(dataDir, true)
  await query(owner.connectionString, 'CREATE TABLE note AS SELECT 1 AS number')
  owner.child.kill('SIGKILL')
  await expect.poll(() => processesOn(dataDir), { timeout: 10_000 }).toEqual([])
  const again = await start(dataDir, true)
  expect(await query(again.connectionString, 'SELECT number FROM note')).toEqual([{ number: 1 }])
})

test('a PostgreSQL that outlived both the server and its guards is stopped by the next start', async () => {
  const dataDir = usedFolder()
  const owner = await startInChild(dataDir, true)
  await query(owner.connectionString, 'CREATE TABLE note AS SELECT 1 AS number')
  const guards = guardsOf(dataDir)
  expect(guards).toHaveLength(2)
  for (const pid of guards) process.kill(pid, 'SIGKILL')
  await killed(owner.child)
  const said: string[] = []
  const again = await start(dataDir, true, { log: line => said.push(line) })
  expect(said.join('\n')).toContain('left behind')
  expect(await query(again.connectionString, 'SELECT number FROM note')).toEqual([{ number: 1 }])
})

test('after a crash of server and PostgreSQL at the same time, what was committed is kept', async () => {
  const dataDir = usedFolder()
  const owner = await startInChild(dataDir, true)
  await query(owner.connectionString, 'CREATE TABLE note AS SELECT 1 AS number')
  for (const pid of [...guardsOf(dataDir), postmasterOf(dataDir)]) process.kill(pid, 'SIGKILL')
  await killed(owner.child)
  const again = await start(dataDir, true)
  expect(await query(again.connectionString, 'SELECT number FROM note')).toEqual([{ number: 1 }])
})

test('a pid file whose number now belongs to another program does not block a start', async () => {
  const dataDir = usedFolder()
  await (await start(dataDir)).stop()
  const bystander = spawn('sleep', ['60'])
  owners.push(bystander)
  const cluster = join(dataDir, 'postgres')
  writeFileSync(
    join(cluster, 'postmaster.pid'),
    `${bystander.pid}\n${cluster}\n1700000000\n5432\n\n127.0.0.1\n  1 1\nready   \n`,
  )
  const postgres = await start(dataDir)
  expect(await query(postgres.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
})

test('a second server on a folder is refused with a sentence, in this process and in another', async () => {
  const dataDir = usedFolder()
  const owner = await startInChild(dataDir)
  const refused = await start(dataDir).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(DataFolderInUse)
  expect((refused as Error).message).toBe(
    `The data folder ${dataDir} is in use by another Fieldtest server (process ${owner.child.pid}). ` +
      'Stop it first, or set DATA_DIR to another folder.',
  )
  expect(await query(owner.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  const other = usedFolder()
  await start(other)
  await expect(start(other)).rejects.toThrow(DataFolderInUse)
})

test('when servers start at once on a fresh folder, exactly one wins', async () => {
  const dataDir = newFolder()
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => startInChild(dataDir)))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(String(outcome.reason)).toContain('is in use by another Fieldtest server')
  }
})

test('a deep folder with a space and a letter beyond ASCII in its name works', async () => {
  const dataDir = join(newFolder(), 'my tésts – Köln', 'd'.repeat(120))
  const postgres = await start(dataDir)
  expect(await query(postgres.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(existsSync(join(dataDir, 'postgres/PG_VERSION'))).toBe(true)
})

test('a first start killed in the middle does not spoil the folder', async () => {
  const dataDir = newFolder()
  for (const afterMs of [60, 250, 450]) {
    const starting = startInChild(dataDir)
    starting.catch(() => {})
    await pause(afterMs)
    for (const owner of owners.splice(0)) owner.kill('SIGKILL')
    await starting.catch(() => {})
  }
  const postgres = await start(dataDir)
  expect(await query(postgres.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(readdirSync(dataDir).filter(name => name.startsWith('postgres.new-'))).toEqual([])
})

test('a PostgreSQL that exits on its own is started again on the same port, with what was committed', async () => {
  const dataDir = usedFolder()
  const { connectionString, stop } = await start(dataDir, true)
  await query(connectionString, 'CREATE TABLE note AS SELECT 1 AS number')
  const first = postmasterOf(dataDir)
  process.kill(first, 'SIGKILL')
  const answer = () => query(connectionString, 'SELECT number FROM note').catch(() => 'not yet')
  await expect.poll(answer, { timeout: 20_000 }).toEqual([{ number: 1 }])
  expect(postmasterOf(dataDir)).not.toBe(first)
  await stop()
  expect(processesOn(dataDir)).toEqual([])
})

describe('a PostgreSQL that cannot be started again at once', () => {
  /** Kills PostgreSQL; calls `spoil` just before the first attempt to start it again, and `mend` after that has failed. */
  const killedAndMended = async ({
    spoil,
    mend,
  }: Record<'spoil' | 'mend', (dataDir: string, port: number) => void>) => {
    const dataDir = usedFolder()
    let port = 0
    const said: string[] = []
    const log = (line: string) => {
      if (line.includes('ended unexpectedly')) spoil(dataDir, port)
      if (line.includes('Could not start it') && said.push(line) === 1) mend(dataDir, port)
    }
    const reports: string[] = []
    const { connectionString } = await start(dataDir, true, { log, onUnexpectedExit: why => reports.push(why) })
    port = Number(new URL(connectionString).port)
    await query(connectionString, 'CREATE TABLE note AS SELECT 1 AS number')
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    const answer = () => query(connectionString, 'SELECT number FROM note').catch(() => reports[0])
    await expect.poll(answer, { timeout: 30_000 }).toEqual([{ number: 1 }])
    expect(said[0]).toContain('Could not start it; trying again. PostgreSQL did not start on')
  }

  test('is tried again after a while', async () => {
    const configuration = (dataDir: string) => join(dataDir, 'postgres/postgresql.auto.conf')
    await killedAndMended({
      spoil: dataDir => writeFileSync(configuration(dataDir), 'no_such_setting = 1\n'),
      mend: dataDir => writeFileSync(configuration(dataDir), ''),
    })
  })

  test('because another program has taken its port gets the port back when that program has gone', async () => {
    const taker = createServer(caller => caller.destroy())
    await killedAndMended({
      spoil: (_dataDir, port) => taker.listen(port, '127.0.0.1'),
      mend: () => taker.close(),
    })
  })
})

test('a PostgreSQL that keeps exiting is given up and reported; one that was stopped is not reported', async () => {
  const dataDir = usedFolder()
  const reports: string[] = []
  const first = await start(dataDir, false, { onUnexpectedExit: why => reports.push(why) })
  await first.stop()
  expect(reports).toEqual([])
  const { connectionString } = await start(dataDir, false, { onUnexpectedExit: why => reports.push(why) })
  for (let ending = 1; ending <= 4; ending++) {
    const answer = () => query(connectionString, 'SELECT 1 AS one').catch(() => 'not yet')
    await expect.poll(answer, { timeout: 20_000 }).toEqual([{ one: 1 }])
    expect(reports).toEqual([])
    const ended = postmasterOf(dataDir)
    process.kill(ended, 'SIGKILL')
    await expect.poll(() => reports.length > 0 || postmasterOf(dataDir) !== ended, { timeout: 20_000 }).toBe(true)
  }
  await expect.poll(() => reports.length, { timeout: 20_000 }).toBe(1)
  expect(reports[0]).toContain('PostgreSQL ended unexpectedly (signal 9) and was not started again: it ended too often')
})

test('a PostgreSQL that somebody else shuts down does not wait for our connections, and is started again', async () => {
  const dataDir = usedFolder()
  const { connectionString } = await start(dataDir)
  const holding = new pg.Client({ connectionString })
  holding.on('error', () => undefined)
  await holding.connect()
  const before = postmasterOf(dataDir)
  process.kill(before, 'SIGTERM')
  const answer = () => query(connectionString, 'SELECT 1 AS number').catch(() => 'refused')
  await expect.poll(() => postmasterOf(dataDir) !== before, { timeout: 20_000 }).toBe(true)
  await expect.poll(answer, { timeout: 20_000 }).toEqual([{ number: 1 }])
  await holding.end().catch(() => undefined)
})

/** NaN while PostgreSQL is not running. */
const postmasterOf = (dataDir: string) => {
  const pidFile = join(dataDir, 'postgres/postmaster.pid')
  return existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : Number.NaN
}

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldtest-postgres-'))
  folders.push(folder)
  return folder
}

/** A folder with a database that has been used before: a copy, because creating one takes a second or two. */
const usedFolder = () => {
  const folder = newFolder()
  // Unlike fs.cpSync, this keeps the modes of folders, on which PostgreSQL insists.
  execFileSync('cp', ['-a', join(used, 'postgres'), folder])
  return folder
}

const start = async (dataDir: string, durable = false, more: Partial<Parameters<typeof startPostgres>[0]> = {}) => {
  const postgres = await startPostgres({ dataDir, durable, ...more })
  started.push(postgres)
  return postgres
}

/** A separate server process that can be killed. If it does not start, rejects with what it wrote. */
const startInChild = (dataDir: string, durable = false) =>
  new Promise<{ child: ChildProcess; connectionString: string }>((resolve, reject) => {
    const script = `
      import { startPostgres } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)}
      const { connectionString } = await startPostgres({ dataDir: process.argv[1], durable: ${durable} })
      console.log(connectionString)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir])
    owners.push(child)
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    child.once('close', () => reject(new Error(errors)))
    createInterface(child.stdout).once('line', connectionString => resolve({ child, connectionString }))
  })

const killed = (child: ChildProcess) =>
  new Promise<void>(resolve => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })

const query = async (connectionString: string, text: string): Promise<unknown[]> => {
  const client = new pg.Client(connectionString)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** All processes with the folder in their command line: PostgreSQL, its guards, initdb. Without this test's server processes. */
const processesOn = (dataDir: string) =>
  commands().filter(({ command }) => command.includes(dataDir) && !command.includes('--input-type'))

const guardsOf = (dataDir: string) =>
  processesOn(dataDir).flatMap(({ pid, command }) => (command.includes('fieldtest-guard') ? [pid] : []))

const commands = () =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => ({ pid: Number(pid), command: readCommand(pid) }))

const readCommand = (pid: string) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
