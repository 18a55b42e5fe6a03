/** The counters of a campaign change with each tester, and what is derived from them seldom (decision 067). */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { draftOf } from '../../testing/app.ts'
import { connectBeside } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')

test('no index of campaigns is written when a seat is taken or given back', async () => {
  const counters = [
    'seats_taken',
    'open_testers',
    'verified_testers',
    'joins_ever',
    'closed_seats',
    'offered_seats',
    'bench_testers',
    'end_date',
  ]
  // Keys, expressions and predicates: PostgreSQL notes which columns each index depends on.
  const read = await t.look<{ index: string; column: string }>(
    `select objid::regclass::text as index, attname as column
      from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
      where classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass and refobjid = 'campaigns'::regclass
        and objid in (select indexrelid from pg_index where indrelid = 'campaigns'::regclass)`,
  )
  expect(read.map(({ column }) => column)).toEqual(
    expect.arrayContaining(['has_room', 'has_open_tests', 'completes_at']),
  )
  expect(read.filter(({ column }) => counters.includes(column))).toEqual([])
})

test('a campaign with a long description writes no index either: its texts are not derived anew', async () => {
  // Different enough that PostgreSQL stores them outside of the row.
  const description = Array.from({ length: 120 }, () => randomUUID()).join(' ')
  const { id } = await draftOf(developer, { description })
  const beside = await connectBeside(t)
  try {
    await beside.query('begin')
    await beside.query('update campaigns set joins_ever = joins_ever + 1 where id = $1', [id])
    const { rows } = await beside.query<{ all: number; within: number }>(
      `select n_tup_upd::int as all, n_tup_hot_upd::int as within from pg_stat_xact_user_tables where relname = 'campaigns'`,
    )
    expect(rows).toEqual([{ all: 1, within: 1 }])
  } finally {
    await beside.end()
  }
})

test('a campaign is found by its title and description as they are now', async () => {
  const { id } = await draftOf(developer, { title: 'Quokka counter', description: 'Counts Marsupials.' })
  const find = async (search: string) =>
    (await developer.call<{ id: string }[]>('GET', `/campaigns?search=${search}`)).body.map(found => found.id)
  expect(await find('quokka')).toEqual([id])
  // One by one, unlike a PATCH, which writes both.
  await t.look(`update campaigns set title = 'Wombat counter' where id = $1`, [id])
  expect(await find('quokka')).toEqual([])
  expect(await find('wombat')).toEqual([id])
  await t.look(`update campaigns set description = 'Counts Numbats.' where id = $1`, [id])
  expect(await find('marsupials')).toEqual([])
  expect(await find('numbats')).toEqual([id])
})
