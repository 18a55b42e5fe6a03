/** Runs the product on a seeded database, within this process: calls need no network, and each statement's plan is recorded. */
import { randomBytes, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app/server/app.ts'
import { startBackend } from '../../src/app/server/boot.ts'
import { readEnv } from '../../src/app/server/env.ts'
import type { Method } from '../../src/kit/endpoint.ts'
import type { Role } from '../../src/kit/roles.ts'
import { signAccessToken } from '../../src/kit/server/session.ts'
import { type Listener, listenToPlans, type Planned, tellPlans } from '../../src/testing/plans.ts'
import { benchKey } from './addresses.ts'

export type Caller = { name: string; role: Role; id: string }

type Heard = {
  status: number
  body: unknown
  next: string | null
  httpMs: number
  planned: Planned[]
  roundTrips: number
}

export type Product = {
  call: (caller: Caller | null, method: Method, path: string, body?: unknown) => Promise<Heard>
  stop: () => Promise<void>
}

/** Runs no jobs, so that what is due stays due, and nothing disturbs the measurement. */
export const startProduct = async (url: string): Promise<Product> => {
  await tellPlans(url, { analyze: true })
  const listener: Listener = listenToPlans()
  const env = readEnv({
    NODE_ENV: '',
    DATABASE_URL: url,
    DATA_DIR: join(tmpdir(), `fieldtest-growth-${process.pid}`),
    JWT_SECRET: randomBytes(48).toString('hex'),
    ENCRYPTION_KEY: benchKey,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
  })
  const stopBackend = await startBackend(env, url, { work: false, onError: error => console.error(error) })
  const app = await createApp(env)
  await app.ready()
  const tokens = new Map<string, string>()
  const tokenOf = async ({ id, role }: Caller) => {
    const known = tokens.get(id) ?? (await signAccessToken({ id, role, sessionId: randomUUID() }))
    tokens.set(id, known)
    return known
  }
  return {
    call: async (caller, method, path, body) => {
      const token = caller && (await tokenOf(caller))
      listener.taken()
      const before = performance.now()
      const reply = await app.inject({
        method,
        url: `/api/v1${path}`,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
      const httpMs = performance.now() - before
      const isJson = String(reply.headers['content-type']).includes('json') && reply.payload !== ''
      const [, next = null] = /<[^>]*[?&]cursor=([^>&]+)[^>]*>; rel="next"/.exec(String(reply.headers.link)) ?? []
      return { status: reply.statusCode, body: isJson ? reply.json() : undefined, next, httpMs, ...listener.taken() }
    },
    stop: async () => {
      listener.stop()
      await app.close()
      await stopBackend()
    },
  }
}
