/** Failures beside the stream of the log end neither the stream nor a running base backup. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import pg from 'pg'
import { connect, disconnect } from '../../kit/server/connections.ts'
import { urlOf } from '../../testing/databases.ts'
import { type Node, startPrimary } from '../../testing/standby.ts'
import { followDatabase, placeRefusal } from './following.ts'
import { openVault, type Vault } from './vault.ts'

let given: Node
let folder = ''
let client: pg.Client
beforeAll(async () => {
  given = await startPrimary()
  folder = await mkdtemp(join(tmpdir(), 'fieldtest-following-'))
  await given.asSuperuser('alter role fieldtest replication', 'create database one owner fieldtest')
  const url = urlOf(given.url, 'one')
  client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create table backup_log (only_row boolean primary key default true, archived_until timestamptz);
    create table backups (id bigint generated always as identity primary key, taken_at timestamptz, took_ms int, bytes bigint,
      place text);
    create table installation (only_row boolean primary key default true, id uuid not null default gen_random_uuid());
    insert into installation default values`)
  connect({ url })
})
afterAll(async () => {
  await disconnect()
  await client.end()
  await given.stop()
  await rm(folder, { recursive: true, force: true })
})

const wait = { timeout: 30_000, interval: 100 }

/** Refuses the next file of a kind on request, and holds a base backup's cluster until the test lets it pass. */
const placeOn = (vault: Vault) => {
  const refused = new Set<RegExp>()
  const letBase = Promise.withResolvers<void>()
  const baseBegins = Promise.withResolvers<void>()
  const write: Vault['write'] = async (name, content) => {
    for (const kind of refused)
      if (kind.test(name)) {
        refused.delete(kind)
        throw new Error(`no place for ${kind.source}`)
      }
    if (name.endsWith('/cluster')) {
      baseBegins.resolve()
      await letBase.promise
    }
    return vault.write(name, content)
  }
  return { place: { ...vault, write }, refuse: (kind: RegExp) => refused.add(kind), baseBegins, letBase }
}

const isPiece = /\.[0-9a-f]{8}$/
const isMark = /until$/

const sender = async () => {
  const slots = await given.asSuperuser(
    'select active_pid as pid from pg_replication_slots where active and not temporary',
  )
  return slots.map(slot => (slot as { pid: number }).pid)
}

test('a file that the place refuses and a mark that fails are reported and retried', async () => {
  const vault = await openVault(folder, randomBytes(32))
  const { place, refuse, baseBegins, letBase } = placeOn(vault)
  const told: string[] = []
  const end = followDatabase({
    vault: place,
    source: { replicationUrl: given.url, embedded: false },
    keepDays: 7,
    onError: error => told.push((error as Error).message),
  })
  await baseBegins.promise
  const first = await sender()
  expect(first).toHaveLength(1)

  for (const [index, kind] of [isPiece, isMark].entries()) {
    refuse(kind)
    const count = async () => (await vault.list('log')).filter(({ name }) => kind.test(name)).length
    await client.query(`create table written_${index} ()`)
    await expect.poll(() => told, wait).toContain(`no place for ${kind.source}`)
    await expect.poll(count, wait).toBeGreaterThan(0)
  }
  await client.query('alter table backup_log rename to elsewhere')
  letBase.resolve()
  await expect.poll(() => told, wait).toContain('relation "backup_log" does not exist')
  await client.query('alter table elsewhere rename to backup_log')
  await expect.poll(async () => (await client.query('select from backup_log')).rowCount, wait).toBe(1)

  expect(await sender()).toEqual(first)
  expect((await client.query('select from backups')).rowCount).toBe(1)
  await end()
})

const followInto = async (place: string, key: Buffer) => {
  const told: string[] = []
  const vault = await openVault(place, key)
  const end = followDatabase({
    vault,
    source: { replicationUrl: given.url, embedded: false },
    keepDays: 7,
    onError: error => told.push((error as Error).message),
  })
  return { vault, told, end }
}
/** All files with their sizes and times. */
const filesIn = async ({ vault }: { vault: Vault }) =>
  (await Promise.all(['bases', 'log', 'installation', 'files', 'erased', 'gone'].map(vault.list))).flat()
const names = async (of: { vault: Vault }) => (await filesIn(of)).map(({ name }) => name)

/** A place with a base backup and its log. */
const followedPlace = async (key: Buffer) => {
  const place = await mkdtemp(join(tmpdir(), 'fieldtest-followed-'))
  const first = await followInto(place, key)
  await expect.poll(() => names(first), wait).toContainEqual(expect.stringMatching(/manifest$/))
  await expect.poll(() => names(first), wait).toContainEqual(expect.stringMatching(/until$/))
  await first.end()
  return { place, vault: first.vault }
}

test('a place with the backups of another installation is refused, and nothing in it is touched', async () => {
  const key = randomBytes(32)
  const first = await followedPlace(key)
  const before = await filesIn(first)
  const { rows } = await client.query<{ id: string }>('select id from installation')
  await client.query('update installation set id = gen_random_uuid()')
  // The same goes for another key.
  const second = await followInto(first.place, randomBytes(32))
  await expect.poll(() => second.told, wait).toHaveLength(1)
  await second.end()
  expect(second.told[0]).toMatch(/has the backups of another installation \(installation\/[0-9a-f-]{36}\)\./)
  expect(await filesIn(second)).toEqual(before)
  await client.query('update installation set id = $1', [rows[0]!.id])
  const again = await followInto(first.place, key)
  await expect.poll(sender, wait).toHaveLength(1)
  await again.end()
  await rm(first.place, { recursive: true, force: true })
})

test('another key touches nothing in the place, and the right key continues', async () => {
  const key = randomBytes(32)
  const { place, vault } = await followedPlace(key)
  const before = await filesIn({ vault })
  const wrong = await followInto(place, randomBytes(32))
  await client.query('create table written_meanwhile ()')
  await expect.poll(() => wrong.told, wait).toHaveLength(1)
  expect(placeRefusal()).toBe(wrong.told[0])
  await wrong.end()
  expect(wrong.told[0]).toContain('were encrypted with a key other than this BACKUP_KEY')
  expect(await filesIn({ vault })).toEqual(before)
  const again = await followInto(place, key)
  await expect.poll(async () => (await filesIn({ vault })).length, wait).toBeGreaterThan(before.length)
  expect(placeRefusal()).toBeNull()
  await again.end()
  for (const { name } of await filesIn({ vault })) await vault.readWhole(name)
  await rm(place, { recursive: true, force: true })
})
