/** Two servers on one database: their streams send the same events, end with their sessions, and survive a deployment. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { type OtherServer, startOtherServer } from '../../testing/processes.ts'
import { openStream, told } from '../../testing/streams.ts'

const jwtSecret = 'one secret that both of the servers know'
const t = testApp({ JWT_SECRET: jwtSecret })
const admin = signedUp(t, 'ADMIN')
let address: string
let other: OtherServer
beforeAll(async () => {
  address = await t.app.listen({ port: 0, host: '127.0.0.1' })
  other = await startOtherServer(t, {
    JWT_SECRET: jwtSecret,
    LOG_LEVEL: 'silent',
  })
})
afterAll(() => other.stop())

const say = ({ user }: Person, subject: string) =>
  admin.call('POST', `/admin/users/${user.id}/message`, { subject, message: 'Hello.' })

test('an event written by one server is sent on a stream of the other', async () => {
  const tester = await t.signUp('TESTER')
  const stream = await openStream(other.url, tester.accessToken)
  await stream.until('ready')
  await say(tester, 'From here')
  expect(told(await stream.change())).toBe('NOTICES')
  stream.cut()
})

test('signing out on one server ends the session’s stream on the other', async () => {
  const tester = await t.signUp('TESTER')
  const stream = await openStream(other.url, tester.accessToken)
  await stream.until('ready')
  await tester.call('POST', '/auth/logout')
  expect(await stream.until('the end')).toEqual([])
})

// This test comes last, because afterwards the other server is gone.
test('a server that is replaced ends its streams, and another one continues where they ended', async () => {
  const tester = await t.signUp('TESTER')
  const before = await openStream(other.url, tester.accessToken)
  const [ready] = await before.until('ready')
  await other.stop()
  expect(await before.until('the end')).toEqual([])
  await say(tester, 'Between the two')
  const after = await openStream(address, tester.accessToken, { lastEventId: ready!.id })
  expect(told(await after.change())).toBe('NOTICES')
  after.cut()
})
