/** The time in which no server ran is found once, by whichever server starts first, and never because a clock was set. */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { clock, hoursAfter } from '../clock.ts'
import { autocommit } from './db.ts'
import { hoursAfterDowntimes } from '../downtimes.ts'
import { inParallel } from '../../testing/observed.ts'
import { lastBeatWas, serve } from '../../testing/downtimes.ts'
import { testApp } from '../../testing/prologue.ts'
import { deadlines, setSettled, unsettled } from './downtimes.ts'
import { noteDowntime } from './heartbeat.ts'

const t = testApp()
beforeEach(async () => {
  await t.look('delete from downtimes')
  await t.look('delete from heartbeat')
})

type Found = { id: number; hours: number; endedAt: string }
const found = () =>
  t.look<Found>(`select id, round(extract(epoch from ended_at - started_at) / 3600, 2)::float8 as hours, ended_at as "endedAt"
    from downtimes order by id`)
const hoursFound = async () => (await found()).map(({ hours }) => hours)

test('the very first start finds no downtime, and neither does one after a short stop', async () => {
  await noteDowntime()
  await serve()
  await noteDowntime()
  await lastBeatWas(1.9 / 60)
  await noteDowntime()
  await serve()
  expect(await found()).toEqual([])
})

test('servers that start at the same time find a downtime once', async () => {
  await lastBeatWas(5)
  await inParallel(4, async () => {
    await noteDowntime()
    await serve()
  })
  expect(await hoursFound()).toEqual([5])
})

test('a server that dies before it serves does not end the downtime', async () => {
  await lastBeatWas(5)
  await noteDowntime()
  // The next server starts three hours later.
  await t.look(`update heartbeat set beat_at = beat_at - interval '3 hours'`)
  await t.look(`update downtimes set last_beat_at = last_beat_at - interval '3 hours', settled_at = now(),
    started_at = started_at - interval '3 hours', ended_at = ended_at - interval '3 hours'`)
  await noteDowntime()
  expect(await hoursFound()).toEqual([8])
  expect(await t.look('select from downtimes where settled_at is null')).toHaveLength(1)
  await serve()
  await noteDowntime()
  expect(await hoursFound()).toEqual([8])
})

describe('a changed clock is not a downtime', () => {
  test('the test clock', async () => {
    await serve()
    await t.advance(30 * 24)
    await noteDowntime()
    await serve()
    expect(await found()).toEqual([])
    // A real downtime is found, by the product's clock, which deadlines go by.
    await lastBeatWas(5)
    const before = clock.now()
    await noteDowntime()
    const [downtime] = await found()
    expect(downtime!.hours).toBe(5)
    expect([before, downtime!.endedAt, clock.now()].toSorted()[1]).toBe(downtime!.endedAt)
  })

  test('PostgreSQL’s clock, set forward while a server runs, or back', async () => {
    await lastBeatWas(5)
    // By the machine's own clock, this server last wrote a heartbeat 6 seconds ago.
    await t.look('select beat(6, 0, true)')
    expect(await found()).toEqual([])
    await lastBeatWas(-5)
    await noteDowntime()
    await serve()
    expect(await found()).toEqual([])
    await lastBeatWas(5)
    await t.look('select beat(18000, 0, true)')
    expect(await hoursFound()).toEqual([5])
  })
})

test('a downtime that was found to be longer meanwhile is not settled', async () => {
  await lastBeatWas(5)
  await noteDowntime()
  const [known] = await unsettled(autocommit)
  await t.look(`update downtimes set ended_at = ended_at + interval '3 hours'`)
  expect(await setSettled(autocommit, known!, clock.now())).toBe(0)
  const [longer] = await unsettled(autocommit)
  expect(await setSettled(autocommit, longer!, clock.now())).toBe(1)
  expect(await unsettled(autocommit)).toEqual([])
})

test('nothing falls due that was loaded before the machine slept', async () => {
  const due = [{ id: randomUUID(), at: clock.now() }]
  const ran: unknown[] = []
  const job = (sleeps: () => Promise<void>) =>
    deadlines('test.deadlines', () => ({
      load: async ({ after }) => {
        await sleeps()
        return after ? [] : due
      },
      run: async (_, rows) => {
        ran.push(...rows)
        return rows.map(({ id }) => id)
      },
    }))
  await job(() => lastBeatWas(5)).run({})
  expect(ran).toEqual([])
  await t.look('delete from heartbeat')
  await job(() => Promise.resolve()).run({})
  expect(ran).toEqual(due)
})

test('SQL and the rules calculate the same deadlines', async () => {
  const start = '2026-03-01T00:00:00.000Z'
  const some = () => Math.round(Math.random() * 200 * 3600) / 3600
  for (let round = 0; round < 20; round++) {
    const downtimes = Array.from({ length: round % 5 }, () => {
      const from = some()
      return { from: hoursAfter(start, from), to: hoursAfter(start, from + some() / 4) }
    })
    await t.look('delete from downtimes')
    await t.look(
      `insert into downtimes (cause, started_at, ended_at, last_beat_at)
        select 'DOWN', a, b, now() + n * interval '1 second' from unnest($1::timestamptz[], $2::timestamptz[]) with ordinality d (a, b, n)`,
      [downtimes.map(({ from }) => from), downtimes.map(({ to }) => to)],
    )
    const hours = Math.floor(some())
    const [answer] = await t.look<{ at: string }>('select after_downtimes($1, $2) as at', [start, hours])
    expect({ downtimes, hours, at: answer!.at }).toEqual({
      downtimes,
      hours,
      at: hoursAfterDowntimes(start, hours, downtimes),
    })
  }
})
