/** What a recording of the application's statements holds. */
import { expect, test } from 'vitest'
import { autocommit, sql, transact } from './db.ts'
import { testApp } from '../../testing/prologue.ts'
import { recorded, roundTripsOf } from '../../testing/recorded.ts'

testApp()

const one = () => autocommit.value<number>(sql`select 1 as one`)

test('only the recorded work is recorded, not what runs in the background meanwhile', async () => {
  for (const record of [recorded, roundTripsOf]) {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const background = begun.then(() => autocommit.value<number>(sql`select 2 as two`))
    const statements = await record(async () => {
      begin()
      await Promise.all([background, one()])
      await one()
    })
    expect(statements.flat()).toEqual(['select 1 as one', 'select 1 as one'])
  }
})

test('statements sent right behind each other share a round trip', async () => {
  const trips = await roundTripsOf(() =>
    transact(async tx => {
      await Promise.all([tx.value(sql`select 1 as one`), tx.value(sql`select 2 as two`)])
      await tx.value(sql`select 3 as three`)
    }),
  )
  expect(trips.map(([first, ...more]) => [first!.split(/[ ;]/)[0], ...more])).toEqual([
    ['begin', 'select 1 as one', 'select 2 as two'],
    ['select'],
    ['commit'],
  ])
})
