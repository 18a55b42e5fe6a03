/** A restore of a given database works as the owner of the tables, whichever role made the backup. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { autocommit } from '../../kit/server/db.ts'
import { testApp } from '../../testing/prologue.ts'
import { type Node, startPrimary } from '../../testing/standby.ts'
import { ownerThere } from './clusters.ts'
import { aboutServer } from './queries.ts'

testApp()
let given: Node
beforeAll(async () => {
  given = await startPrimary()
})
afterAll(() => given.stop())

const urlAs = (user: string) => {
  const url = new URL(given.url)
  url.username = user
  return url.href
}

test('a backup that a server takes as the product’s own role records the owner of the tables', async () => {
  expect(await aboutServer(autocommit)).toMatchObject({ role: 'fieldtest' })
})

test('a backup that recorded the product’s own role is restored as the owner, even if that role may not sign in', async () => {
  const owner = new pg.Client({ connectionString: given.url })
  await owner.connect()
  await owner.query('create table schema_migrations ()')
  await owner.end()
  expect(await ownerThere(urlAs, 'fieldtest_app')).toBe('fieldtest')
  await given.asSuperuser('alter role fieldtest_app nologin')
  expect(await ownerThere(urlAs, 'fieldtest_app')).toBe('fieldtest')
})
