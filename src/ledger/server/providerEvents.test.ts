/** Events that cannot be handled are retried less and less often, and do not hold up the others. */
import { expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { runDueJobs } from '../../kit/server/dueJobs.ts'
import { testApp } from '../../testing/prologue.ts'
import { takeEvent, tryAllEvents, workOffEvents } from './providerEvents.ts'

const t = testApp()

const take = (eventId: string, type: string, dueAt = clock.now()) =>
  takeEvent({ provider: 'sandbox', eventId, type, payload: { withdrawalId: 'none' }, receivedAt: clock.now(), dueAt })
const takeBad = (eventId: string) => take(eventId, 'sandbox.payout_returned')
/** An event of a type that means nothing here, so handling it succeeds. */
const takeGood = (eventId: string, dueAt?: string) => take(eventId, 'sandbox.other', dueAt)

const triesOf = (eventId: string) =>
  t
    .look<{ tries: number }>('select tries from provider_events where event_id = $1', [eventId])
    .then(([event]) => event?.tries)
const left = () =>
  t
    .look<{ id: string }>('select event_id as id from provider_events where processed_at is null order by id')
    .then(events => events.map(({ id }) => id))

test('a failing event is retried after 1, 2, 4 … minutes, and after an hour at most', async () => {
  await takeBad('bad')
  const waits: number[] = []
  for (let tries = 1; tries <= 8; tries++) {
    await expect(workOffEvents.run({})).rejects.toThrow('1 of 1 failed')
    // It waits, so the next minute's pass has nothing to do.
    await workOffEvents.run({})
    expect(await triesOf('bad')).toBe(tries)
    const [next] = await t.look<{ minutes: number }>(
      `select round(extract(epoch from due_at - $1::timestamptz) / 60)::int as minutes from provider_events where event_id = 'bad'`,
      [clock.now()],
    )
    waits.push(next!.minutes)
    await t.look(`update provider_events set due_at = $1 where event_id = 'bad'`, [clock.now()])
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
})

test('a new event is handled by itself, however many others fail', async () => {
  await runDueJobs()
  await t.look(`update provider_events set due_at = $1 where event_id = 'bad'`, [clock.now()])
  const before = await triesOf('bad')
  await takeGood('good')
  await runDueJobs()
  expect(await left()).toEqual(['bad'])
  expect(await triesOf('bad')).toBe(before)
  await takeBad('bad too')
  await runDueJobs()
  expect([await triesOf('bad'), await triesOf('bad too')]).toEqual([before, 1])
  // Here the schedule retries it.
  await runDueJobs()
  expect(await triesOf('bad too')).toBe(1)
})

test('a look at a difference retries failed events without waiting, and nothing that is not due yet', async () => {
  const before = await triesOf('bad too')
  await takeGood('later', '2099-01-01T00:00:00.000Z')
  await expect(tryAllEvents()).rejects.toThrow('2 of 2 failed')
  expect(await triesOf('bad too')).toBe(before! + 1)
  expect(await left()).toEqual(['bad', 'bad too', 'later'])
})

test('a look at a difference ends even if more than a page of events fail, and tries each once', async () => {
  const before = await t.look<{ tries: number }>(
    'select tries from provider_events where processed_at is null and tries > 0 order by id',
  )
  await Promise.all(Array.from({ length: 101 }, (_, number) => takeBad(`bad ${number}`)))
  await expect(tryAllEvents()).rejects.toThrow('103 of 103 failed')
  const after = await t.look<{ tries: number }>(
    'select tries from provider_events where processed_at is null and tries > 0 order by id',
  )
  expect(after.map(({ tries }) => tries)).toEqual([
    ...before.map(({ tries }) => tries + 1),
    ...Array<number>(101).fill(1),
  ])
})
