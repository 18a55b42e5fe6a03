/** The application that test files share is as new for each of them. */
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { liveCampaign, type TestApp } from '../../testing/app.ts'
import { sharedTestApp } from '../../testing/start.ts'
import { picture } from '../../testing/pictures.ts'
import { uploaded } from '../../testing/uploads.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedTestApp()
})
afterAll(() => t.stop())

const installation = async () => ({
  rows: await t.look(`select oid::regclass::text as name, rows from pg_class, lateral
      (select (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || oid::regclass, false, true, '')))[1]::text::int) as counted (rows)
    where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'pgboss') and rows > 0 order by 1`),
  files: (await readdir(t.dataDir, { recursive: true })).toSorted(),
  hours: Math.round(clock.offsetMs() / 3_600_000),
})

test('the rows, files and time of earlier files are gone', async () => {
  const asNew = await installation()
  const [developer, admin] = [await t.signUp('DEVELOPER'), await t.signUp('ADMIN')]
  await liveCampaign(developer, admin)
  await uploaded(t, developer, await picture())
  await t.advance(48)
  expect(await installation()).not.toMatchObject({ rows: asNew.rows })
  expect((await installation()).files.length).toBeGreaterThan(asNew.files.length)
  const { databaseUrl } = t
  await t.stop()
  t = await sharedTestApp()
  expect(t.databaseUrl).toBe(databaseUrl)
  expect(await installation()).toEqual(asNew)
  expect(await t.look(`select reltuples from pg_class where oid = 'campaigns'::regclass`)).toEqual([{ reltuples: -1 }])
  expect((await t.signUp('DEVELOPER')).user.email).toBe(developer.user.email)
})

test.each([
  ['whose schema they have changed', () => t.look('create table theirs (id int)')],
  ['that listens', () => t.app.listen({ port: 0, host: '127.0.0.1' })],
])('one %s is not used by any other file', async (_what, change) => {
  const { databaseUrl } = t
  await change()
  await t.stop()
  t = await sharedTestApp()
  expect(t.databaseUrl).not.toBe(databaseUrl)
})
