/** Another server does the jobs that a killed server held, within half a minute. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OtherServer, startOtherServer } from '../../testing/processes.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { until } from '../../testing/until.ts'

/** Accepts connections and never answers, so a server that sends mail to it waits and holds the job. */
const connections: Socket[] = []
const silent = createServer(socket => connections.push(socket.on('error', () => undefined)))
const received: string[] = []
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, answer) => {
    void text(stream).then(source => {
      received.push(source)
      return answer()
    })
  },
})
const urlOf = (server: Server) => `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  smtp.listen(0, '127.0.0.1')
  silent.listen(0, '127.0.0.1')
  await Promise.all([once(smtp.server, 'listening'), once(silent, 'listening')])
})
afterAll(async () => {
  for (const socket of connections) socket.destroy()
  silent.close()
  await new Promise<void>(resolve => smtp.close(resolve))
})

const t = testApp(() => ({ SMTP_URL: urlOf(smtp.server as Server) }))
const admin = signedUp(t, 'ADMIN')
const tester = signedUp(t, 'TESTER')

const started: OtherServer[] = []
beforeEach(async () => {
  // Sends the emails of the registrations first.
  await t.advance(0)
  received.length = 0
})
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop()
})

const working = async (mailServer: Server): Promise<OtherServer> => {
  const env = { WORK: '1', LOG_LEVEL: 'silent', SMTP_URL: urlOf(mailServer) }
  const server = await startOtherServer(t, env)
  started.push(server)
  return server
}

const held = async () =>
  (await t.look("select from pgboss.job where name = 'notifications.send-mail' and state = 'active'")).length

/** A server dies while it sends this message. */
const dieSending = async (subject: string) => {
  const first = await working(silent)
  await admin.call('POST', `/admin/users/${tester.user.id}/message`, { subject, message: 'Text' })
  await until(async () => (await held()) === 1)
  await first.kill()
  expect(await held()).toBe(1)
}

test('another server sends the mail of one that was killed', async () => {
  await dieSending('Sent by another')
  await working(smtp.server as Server)
  await until(() => received.length > 0)
  expect(received).toEqual([expect.stringContaining('Subject: Sent by another')])
})

test('the test clock answers only once that mail is sent', async () => {
  await dieSending('Sent by the clock')
  await t.advance(0)
  expect(received).toEqual([expect.stringContaining('Subject: Sent by the clock')])
  expect(
    await t.look("select from pgboss.job where name = 'notifications.send-mail' and state <> 'completed'"),
  ).toEqual([])
})
