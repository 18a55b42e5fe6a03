/** The counters of a campaign change with each tester, and what is derived from them seldom (decision 067). */
import { expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'

const t = testApp()

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
