/** Bytes that are no request, and bodies that are not plain UTF-8, are refused like everything else (product.md §5). */
import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Tokens } from '../../accounts/contract.ts'
import { password } from '../../testing/app.ts'
import { testApp } from '../../testing/prologue.ts'
import type { ErrorBody } from '../errors.ts'

const t = testApp()
let port: number
beforeAll(async () => {
  port = Number(new URL(await t.app.listen({ port: 0, host: '127.0.0.1' })).port)
})

/** Sends the text, and returns the whole answer up to the end of the connection. */
const answerTo = async (sent: string) => {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', bytes => (answer += String(bytes)))
  // The server may close before everything is sent.
  socket.on('error', () => undefined)
  socket.write(sent)
  await once(socket, 'close')
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const headers = new Headers(
    head
      .split('\r\n')
      .slice(1)
      .map(line => line.split(': ') as [string, string]),
  )
  return { status: Number(head.split(' ')[1]), headers, body: JSON.parse(body) as ErrorBody }
}

describe('before there is a request', () => {
  test.each([
    ['an unknown method', 'FOO /api/v1/campaigns HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'There is no such HTTP method.'],
    ['no HTTP', 'GET /api/v1/campaigns NONSENSE\r\n\r\n', 400, 'The request could not be read.'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n', 400, 'The request could not be read.'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'The headers of the request are too large: at most 16 kB.',
    ],
  ])('%s is refused in the usual form of errors', async (_name, sent, status, message) => {
    const answer = await answerTo(sent)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json; charset=utf-8'])
    expect(answer.body).toEqual({
      statusCode: status,
      code: status === 431 ? 'PAYLOAD_TOO_LARGE' : 'INVALID_INPUT',
      message,
      requestId: answer.headers.get('x-request-id'),
    })
    expect(answer.body.requestId).toMatch(/^[\da-f-]{36}$/)
  })
})

describe('requests that Node would answer itself', () => {
  test('a request without Host is refused in the usual form of errors', async () => {
    const { status, body, headers } = await answerTo('GET /api/v1/campaigns HTTP/1.1\r\n\r\n')
    expect([status, body.code, body.message]).toEqual([400, 'INVALID_INPUT', 'The request has no Host header.'])
    expect(body.requestId).toBe(headers.get('x-request-id'))
    expect([headers.get('connection'), headers.get('x-content-type-options')]).toEqual(['close', 'nosniff'])
  })

  test('a request for a tunnel is refused in the usual form of errors', async () => {
    const { status, body, headers } = await answerTo('CONNECT example.test:443 HTTP/1.1\r\nHost: example.test\r\n\r\n')
    expect([status, body.statusCode, body.code]).toEqual([405, 405, 'METHOD_NOT_ALLOWED'])
    expect(body.requestId).toBe(headers.get('x-request-id'))
    expect(['connection', 'x-content-type-options', 'allow'].map(name => headers.get(name))).toEqual([
      'close',
      'nosniff',
      '',
    ])
  })

  test.each(['Connection: close\r\nExpect: something', 'Connection: close, Upgrade\r\nUpgrade: h2c'])(
    '“%s” makes no difference',
    async headers => {
      const { status, body } = await answerTo(`GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`)
      expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
    },
  )
})

describe('a body', () => {
  const plain = JSON.stringify({ email: 'jürgen@example.test', country: 'DE', role: 'tester' })
  const send = async (payload: string | Buffer, headers: Record<string, string>) => {
    const reply = await t.app.inject({
      method: 'POST',
      url: '/api/v1/auth/login',
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    })
    const body = reply.json<ErrorBody>()
    return [reply.statusCode, body.code, body.message]
  }
  const notEncoded = [415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.']
  const notUtf8 = [415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body in UTF-8.']

  test.each(['gzip', 'br', 'GZIP', 'identity, gzip', 'nonsense'])(
    'declared as encoded with %s is refused',
    async encoding => {
      expect(await send(gzipSync(plain), { 'content-encoding': encoding })).toEqual(notEncoded)
      expect(await send(plain, { 'content-encoding': encoding })).toEqual(notEncoded)
    },
  )

  test.each(['UTF-16', 'iso-8859-1', '"latin1"', ''])('of JSON in charset %j is refused', async charset => {
    expect(await send(plain, { 'content-type': `application/json; charset=${charset}` })).toEqual(notUtf8)
  })

  test.each<Record<string, string>>([
    { 'content-encoding': 'identity' },
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'application/json;charset="UTF-8"' },
    { 'content-type': 'application/json; charset=us-ascii' },
    { 'content-type': 'application/json; x="; charset=utf-16"' },
  ])('in plain UTF-8 is read: %j', async headers => {
    // The refusal concerns a field, so the body was read.
    expect((await send(plain, headers))[2]).toBe('Password is required')
  })
})

test('a form from another site is read whatever charset it declares, since one-click unsubscribing is ASCII', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=ISO-8859-1' }
  const payload = 'List-Unsubscribe=One-Click'
  expect(
    (await t.app.inject({ method: 'POST', url: '/unsubscribe?token=none', headers, payload })).statusCode,
  ).not.toBe(415)
  const empty = await t.app.inject({
    method: 'GET',
    url: '/api/v1/config',
    headers: { ...headers, 'content-length': '0' },
  })
  expect(empty.statusCode).not.toBe(415)
})

test.each([
  ['no request', 'FOO BAR\r\n\r\n'],
  ['a request for a tunnel', 'CONNECT example.test:443 HTTP/1.1\r\nHost: example.test\r\n\r\n'],
])('%s in the middle of an answer ends the connection without a second answer', async (_name, sent) => {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', bytes => (answer += String(bytes)))
  socket.on('error', () => undefined)
  const person = await t.signUp('DEVELOPER')
  const { body } = await person.call<Tokens>('POST', '/auth/login', { email: person.user.email, password })
  const head = `GET /api/v1/users/me/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${body.accessToken}`
  socket.write(`${head}\r\n\r\n`)
  await expect.poll(() => answer).toContain('text/event-stream')
  socket.write(sent)
  await once(socket, 'close')
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
})
