/** Two servers on one database: the application in the test's own process, and another beside it. */
import { afterAll, beforeAll } from 'vitest'
import type { Method } from '../kit/endpoint.ts'
import type { TestApp } from './app.ts'
import { type OtherServer, startOtherServer } from './processes.ts'
import { testApp } from './prologue.ts'

/** The secrets that both need to accept each other's tokens and decrypt what the other has encrypted. */
const shared = {
  JWT_SECRET: 'one secret that both of the servers know',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
}

type Sent = { method?: Method; path: string; token: string; body?: unknown; key?: string | undefined }
export type Answer = { status: number; body: unknown }

/** Both start before the file's tests and stop after them. `toTheOther` sends a request to the second one. */
export const twoServers = (): { t: TestApp; toTheOther: (sent: Sent) => Promise<Answer> } => {
  const t = testApp(shared)
  let other: OtherServer | undefined
  beforeAll(async () => {
    other = await startOtherServer(t, { FIELDTEST_TEST_CLOCK: '1', LOG_LEVEL: 'silent', ...shared })
  })
  afterAll(() => other?.stop())
  const toTheOther = async ({ method = 'POST', path, token, body, key }: Sent): Promise<Answer> => {
    const reply = await fetch(`${other!.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return { t, toTheOther }
}
