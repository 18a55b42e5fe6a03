/** Counts of calls by the hour, on which every hourly limit rests. */
import { beforeEach, expect, test } from 'vitest'
import { inParallel } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'
import { autocommit, transact } from './db.ts'
import { countCall, forgetCallsOf, forgetPastHours, uncountCall } from './hourlyCalls.ts'

const t = testApp()
beforeEach(() => t.look('truncate hourly_calls'))

const asked = { kind: 'ASK', caller: '192.0.2.1' }
const count = async (what = asked) => (await transact(tx => countCall(tx, what))).calls
const counts = () => t.look('select caller, kind, calls from hourly_calls order by caller, kind')

test('every call gets its own number, however many come at once', async () => {
  const numbers = await inParallel(20, () => count())
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
})

test('kinds and callers are counted separately', async () => {
  expect([await count(), await count({ ...asked, kind: 'OTHER' }), await count({ ...asked, caller: '::/64' })]).toEqual(
    [1, 1, 1],
  )
})

test('the hour begins with the first call, its remaining time is returned, and it begins anew when it is over', async () => {
  await count()
  await t.advance(0.5)
  const { calls, secondsLeft } = await transact(tx => countCall(tx, asked))
  expect(calls).toBe(2)
  expect(Math.abs(secondsLeft - 1800)).toBeLessThan(60)
  await t.advance(0.5)
  expect(await count()).toBe(1)
})

test('a call that is rolled back or taken back does not count', async () => {
  await transact(async tx => {
    await countCall(tx, asked)
    throw new Error('refused')
  }).catch(() => undefined)
  expect(await count()).toBe(1)
  await count({ ...asked, kind: 'OTHER' })
  await uncountCall(autocommit, asked)
  await uncountCall(autocommit, asked)
  expect(await count()).toBe(1)
  expect(await count({ ...asked, kind: 'OTHER' })).toBe(2)
})

test('callers are forgotten when their hour is over, or on request', async () => {
  await count()
  await count({ ...asked, caller: 'a user' })
  await forgetCallsOf(autocommit, 'a user')
  await t.advance(0.5)
  await count({ ...asked, caller: '192.0.2.2' })
  await t.advance(0.5)
  await forgetPastHours(autocommit)
  expect(await counts()).toEqual([{ caller: '192.0.2.2', kind: 'ASK', calls: 1 }])
})
