/** Ended sessions are refused even while notifications do not arrive. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Person } from '../../testing/app.ts'
import { connectBeside } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'
import { openWire, type Wire } from '../../testing/wire.ts'
import { watchSessions } from './endedSessions.ts'

let wire: Wire
const via = async (url: string) => {
  wire = await openWire(url)
  return wire.url
}
const errors: string[] = []
const t = testApp({}, { via, onError: error => void errors.push(String(error)) })
let beside: pg.Client
beforeAll(async () => {
  beside = await connectBeside(t)
})
afterAll(async () => {
  await beside.end()
  await wire.stop()
})

const patient = { timeout: 20_000 }
const settings = async (person: Person) => (await person.call('GET', '/users/me/notifications')).status

/** Ends the session as another server does: in the database, with a notification. */
const endElsewhere = async (person: Person) => {
  await beside.query(
    `with gone as (update sessions set ended_at = now(), end_reason = 'SUSPENDED' where user_id = $1 returning id)
      select pg_notify('session_ended', id::text) from gone`,
    [person.user.id],
  )
}

/** A look-up would wait for the table until its time is over. */
const withoutLookUp = async (...people: Person[]) => {
  await beside.query('begin')
  await beside.query('lock table sessions in access exclusive mode')
  const statuses: number[] = []
  for (const person of people) statuses.push(await settings(person))
  await beside.query('rollback')
  return statuses
}

test('while notifications arrive, no session is looked up, and each that another server ends is refused from then on', async () => {
  const [banned, other, free] = [await t.signUp('TESTER'), await t.signUp('TESTER'), await t.signUp('TESTER')]
  // On a busy machine notifications may be late for a moment.
  await expect.poll(() => withoutLookUp(banned, free), patient).toEqual([200, 200])
  for (const person of [banned, other]) {
    await endElsewhere(person)
    await expect.poll(() => settings(person), patient).toBe(401)
  }
  expect([await settings(banned), await settings(free)]).toEqual([401, 200])
})

test('on a half-open connection sessions are looked up instead: ended ones are refused, all others go on', async () => {
  const [banned, free] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  errors.length = 0
  wire.freezeThose('listen session_ended')
  await endElsewhere(banned)
  await expect.poll(() => settings(banned), patient).toBe(401)
  // A look-up that has to wait for a processor longer than its limit is a 503.
  await expect.poll(() => settings(free), patient).toBe(200)
  // The silent connection is given up, which is no error; the next one, which is silent as well, times out and is reported.
  await expect.poll(() => errors, patient).toContainEqual(expect.stringContaining('timeout'))
  // “terminated due to connection timeout” is of one that could not be had.
  expect(errors).not.toContainEqual(expect.stringContaining('terminated unexpectedly'))
})

test('a new connection loads what was missed, and then sessions are no longer looked up', async () => {
  const [banned, free] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  wire.freezeThose('listen session_ended')
  await endElsewhere(banned)
  wire.cut()
  await expect.poll(() => settings(free), patient).toBe(200)
  await expect.poll(() => settings(banned), patient).toBe(401)
  await expect.poll(() => withoutLookUp(banned, free), patient).toEqual([401, 200])
})

test('a start whose connection is closed fails, and tries no more', async () => {
  let connections = 0
  const closing = createServer(socket => {
    connections++
    socket.once('data', () => socket.end())
  })
  await once(closing.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void closing.close())
  const { port } = closing.address() as AddressInfo
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await expect(watchSessions(`postgres://a:b@127.0.0.1:${port}/x`, () => undefined)).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(1_000)
  // Arrives after any other that has been begun.
  const last = connect(port, '127.0.0.1').resume()
  last.write('anything')
  await once(last, 'end')
  last.destroy()
  expect(connections).toBe(2)
})
