/** Whatever arrives while the server closes is refused as everything is: in the shape of all errors. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { connectBeside } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp({}, { own: true })
const ann = signedUp(t, 'TESTER')

test('a request on a connection that still waits for an answer is told to come back, with its id', async () => {
  const beside = await connectBeside(t)
  await beside.query('begin')
  await beside.query('select from users for update')
  const { port } = new URL(await t.app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1')
  let got = ''
  socket.on('data', bytes => (got += String(bytes)))
  const body = JSON.stringify({ name: 'Renamed' })
  socket.write(
    `PATCH /api/v1/users/me HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ann.accessToken}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await expect
    .poll(
      () => t.look(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`),
      {
        timeout: 20_000,
      },
    )
    .toHaveLength(1)
  const closed = t.app.close()
  await expect.poll(() => t.app.server.listening, { timeout: 20_000 }).toBe(false)
  const second = once(t.app.server, 'request')
  socket.write('GET /api/v1/campaigns HTTP/1.1\r\nhost: x\r\n\r\n')
  await second
  const ended = once(socket, 'close')
  await beside.query('rollback')
  await Promise.all([beside.end(), closed, ended])
  const [, refused = ''] = got.split('HTTP/1.1 503 ')
  expect(got).toMatch(/^HTTP\/1\.1 200 [^]*Renamed/)
  const requestId = /^x-request-id: (\S+)/im.exec(refused)?.[1]
  expect(JSON.parse(refused.split('\r\n\r\n')[1]!)).toEqual({
    statusCode: 503,
    code: 'UNAVAILABLE',
    message: 'The service is restarting. Try again in a moment.',
    requestId,
  })
  expect(refused).toMatch(/^retry-after: 2/im)
})
