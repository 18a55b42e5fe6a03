/**
 * With several installations on one PostgreSQL, each follows with a slot of its own, and no slot is left to keep the log forever.
 */
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { urlOf } from '../../testing/databases.ts'
import { type Node, startPrimary } from '../../testing/standby.ts'
import { connect, disconnect } from '../../kit/server/connections.ts'
import { dropIdle, takeSlot } from './following.ts'
import { connectForReplication, cutOff, lsnOf, type Replication, streamLog } from './replication.ts'

const oldName = 'fieldtest_backup_1_20261122120000_0a1b2c3d'
let given: Node
let replication: Replication
beforeAll(async () => {
  given = await startPrimary()
  await given.asSuperuser('alter role fieldtest replication')
})
afterAll(() => given.stop())
beforeEach(async () => {
  replication = await connectForReplication(given.url)
  for (const database of ['one', 'two']) await made(database)
})
afterEach(async () => {
  await disconnect()
  await cutOff(replication)
  await given.asSuperuser(
    'select pg_drop_replication_slot(slot_name) from pg_replication_slots where not active',
    'drop database if exists one',
    'drop database if exists two',
  )
})

const asked = async (database: string, statement: string) => {
  const client = new pg.Client({ connectionString: urlOf(given.url, database) })
  await client.connect()
  await client.query(statement)
  await client.end()
}
const made = async (database: string) => {
  await asked('fieldtest', `create database ${database}`)
  await asked(
    database,
    'create table backup_log (only_row boolean primary key default true, archived_until timestamptz)',
  )
}
const sent = (database: string, until: string) =>
  asked(database, `insert into backup_log (archived_until) values (${until})`)

/** What a server of that installation does when it begins to follow. */
const takenBy = async (database: string) => {
  await disconnect()
  connect({ url: urlOf(given.url, database) })
  return (await takeSlot(replication, 1))?.name ?? null
}
const slots = async () =>
  (await given.asSuperuser('select slot_name::text as name from pg_replication_slots order by 1')).map(
    slot => (slot as { name: string }).name,
  )
const make = (name: string) => replication.client.query(`CREATE_REPLICATION_SLOT "${name}" PHYSICAL RESERVE_WAL`)
const wait = { timeout: 30_000 }
/** Makes another server use the slot until it is released. */
const hold = async (name: string) => {
  const other = await connectForReplication(given.url)
  const [slot] = await given.asSuperuser(`select restart_lsn from pg_replication_slots where slot_name = '${name}'`)
  await streamLog(other, { slot: name, timeline: 1, from: lsnOf((slot as { restart_lsn: string }).restart_lsn) })
  await expect.poll(() => given.asSuperuser('select from pg_replication_slots where active'), wait).toHaveLength(1)
  return async () => {
    await cutOff(other)
    await expect.poll(() => given.asSuperuser('select from pg_replication_slots where active'), wait).toEqual([])
  }
}

test('each installation takes a slot of its own, and the same one again', async () => {
  const first = await takenBy('one')
  const letGo = await hold(first!)
  const second = await takenBy('two')
  expect(await takenBy('one')).toBeNull()
  await letGo()
  expect(new Set(await slots())).toEqual(new Set([first, second]))
  expect(first).not.toBe(second)
  expect(await takenBy('two')).toBe(second)
  expect(await takenBy('one')).toBe(first)
})

test('a slot of the previous release is used by the installation that has sent its log, and left alone by others', async () => {
  await sent('one', 'now()')
  await make(oldName)
  const second = await takenBy('two')
  expect(second).not.toBe(oldName)
  expect(await takenBy('one')).toBe(oldName)
  expect(await slots()).toEqual([oldName, second])
})

test('an installation with a slot of its own takes no other slot, although it has sent log', async () => {
  const second = await takenBy('two')
  await make(oldName)
  for (const database of ['one', 'two']) await sent(database, 'now()')
  expect(await takenBy('two')).toBe(second)
  expect(await takenBy('one')).toBe(oldName)
  expect(await slots()).toEqual([oldName, second])
})

test('while the previous release still sends, its own installation waits and another one begins', async () => {
  await sent('one', 'now()')
  await sent('two', `now() - interval '1 hour'`)
  await make(oldName)
  const letGo = await hold(oldName)
  expect(await takenBy('one')).toBeNull()
  expect(await takenBy('two')).not.toBeNull()
  await letGo()
  expect(await takenBy('one')).toBe(oldName)
})

test('a slot of the previous release that no longer continues is dropped', async () => {
  await sent('one', 'now()')
  await make(oldName.replace('_1_', '_7_'))
  const own = await takenBy('one')
  expect(await slots()).toEqual([own])
})

test('servers that begin at the same time take one slot, and leave no other that would keep the log', async () => {
  const others = await Promise.all([1, 2, 3].map(() => connectForReplication(given.url)))
  await disconnect()
  connect({ url: urlOf(given.url, 'one') })
  const taken = await Promise.all([replication, ...others].map(own => takeSlot(own, 1)))
  await Promise.all(others.map(cutOff))
  expect(await slots()).toEqual([taken[0]?.name])
  expect(new Set(taken.map(slot => slot?.name)).size).toBe(1)
})

test('slots that a server left beside the followed one are dropped, and no other installation’s', async () => {
  const own = await takenBy('one')
  await make(own!.replace(/[0-9a-f]{8}$/, 'ffffffff'))
  const second = await takenBy('two')
  await disconnect()
  connect({ url: urlOf(given.url, 'one') })
  await dropIdle({ replicationUrl: given.url, embedded: false }, own!)
  expect(new Set(await slots())).toEqual(new Set([own, second]))
})

test('the slot of a dropped database is dropped, and nobody continues with it', async () => {
  const gone = await takenBy('two')
  await disconnect()
  await asked('fieldtest', 'drop database two')
  const own = await takenBy('one')
  expect(own).not.toBe(gone)
  expect(await slots()).toEqual([own])
})
