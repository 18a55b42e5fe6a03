/** What has to work when the product runs behind a proxy. */
import { randomBytes, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { Answer, Client } from './tlsClient.ts'

const expectThat = (what: string, isSo: boolean, found: unknown) => {
  if (!isSo) throw new Error(`Not so: ${what}. Found: ${JSON.stringify(found)}`)
}

const registered = async ({ call }: Client): Promise<string> => {
  const forged = { 'x-forwarded-for': '203.0.113.9' }
  const { status, body } = await call('/auth/register', {
    method: 'POST',
    headers: forged,
    body: {
      email: `${randomUUID()}@example.test`,
      password: 'correct horse battery',
      name: 'Pia Proxied',
      role: 'TESTER',
      country: 'DE',
      timeZone: 'UTC',
      deviceFingerprint: randomUUID(),
    },
  })
  expectThat('a person can register', status === 201, { status, body })
  return (JSON.parse(body) as { accessToken: string }).accessToken
}

const formOf = (picture: Buffer) => {
  const boundary = 'boundary-of-the-rehearsal'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`
  return {
    body: Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

/** Noise does not compress, so this is larger than what a proxy accepts by default. */
const bigPicture = () =>
  sharp(randomBytes(1600 * 1200 * 3), { raw: { width: 1600, height: 1200, channels: 3 } })
    .png()
    .toBuffer()

/** Throws at the first thing that does not work. */
export const assertBehind = async (client: Client): Promise<string> => {
  const { call, open } = client
  const metrics = await call('/metrics')
  expectThat('/metrics is closed', metrics.status === 404 && !metrics.body.includes('fieldtest_'), metrics)

  const token = await registered(client)
  const sessions = await call('/users/me/sessions', { token })
  const [session] = JSON.parse(sessions.body) as { ip: string }[]
  expectThat('the address is the one that the proxy saw, not a forged one', session?.ip === '127.0.0.1', session)

  const stream = await open('/users/me/events', { token, headers: { accept: 'text/event-stream' } })
  const first = await new Promise<string>(resolve => stream.once('data', (data: Buffer) => resolve(data.toString())))
  stream.destroy()
  expectThat('events arrive as they happen', first.includes('event: ready'), first)

  const picture = await bigPicture()
  const upload = await call('/attachments', { method: 'POST', token, ...formOf(picture) })
  expectThat('a big picture is taken', upload.status === 201, { ...upload, bytes: picture.length })
  const tooMuch = await call('/users/me', { method: 'PATCH', token, body: { name: 'x'.repeat(1_500_000) } })
  const text = formOf(Buffer.alloc(20_000_000, 'text '))
  const refused = await call('/attachments', { method: 'POST', token, ...text })
  expectThat('a big file that is no picture is refused as one', refused.status === 415, refused)
  expectThat('too large a body gets the API’s answer', tooMuch.body.includes('PAYLOAD_TOO_LARGE'), tooMuch)
  return token
}

/** How many calls were answered while `task` ran; throws if one was not. */
export const duringCalls = async ({ call }: Client, token: string, task: () => Promise<void>): Promise<number> => {
  const over = new AbortController()
  let answered = 0
  const bad: (Answer | string)[] = []
  const caller = async (place: number) => {
    while (!over.signal.aborted) {
      const writes = place % 2 === 0
      const asked = writes ? { method: 'PATCH', token, body: { name: `Pia ${answered}` } } : { token }
      const answer = await call('/users/me', asked).catch((error: unknown) => String(error))
      if (typeof answer === 'object' && answer.status === 200) answered += 1
      else bad.push(answer)
    }
  }
  const callers = Array.from({ length: 6 }, (_, place) => caller(place))
  await task().finally(() => over.abort())
  await Promise.all(callers)
  expectThat('no call fails while a server is replaced', bad.length === 0, bad.slice(0, 3))
  return answered
}
