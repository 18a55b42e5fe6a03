/**
 * What a finished request leaves is collected with the new objects. If something long-lived links one request to the next, V8
 * promotes the remains of all to the old generation, from where only a full collection takes them: docs/performance.md, Finished
 * requests. The shares that are compared do not depend on how fast or busy the machine is.
 */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Method } from '../../kit/endpoint.ts'
import { draftOf, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { type OtherServer, startFlags, startOtherServer } from '../../testing/processes.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { served } from '../../testing/served.ts'

const secret = 'a secret that both servers know, long enough'
const t = testApp({ JWT_SECRET: secret })
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const tester = signedUp(t, 'TESTER')

const agent = new Agent({ keepAlive: true })
const atOnce = 32
let server: OtherServer
let campaignId: string
let testId: string

beforeAll(async () => {
  campaignId = (await liveCampaign(developer, admin, { testersRequired: 5 })).id
  testId = (await joinedBy(tester, campaignId)).id
  for (let drafts = 0; drafts < 4; drafts++) await draftOf(developer)
  const env = { JWT_SECRET: secret, FIELDTEST_TEST_CLOCK: '1', LOG_LEVEL: 'silent' }
  server = await startOtherServer(t, env, [...startFlags(), '--trace-gc-nvp'])
})
afterAll(async () => {
  agent.destroy()
  await server.stop()
})

type Call = { person: Person; status?: number; method?: Method; path: string; body?: object }

const send = ({ person, method = 'GET', path, body }: Call) =>
  new Promise<{ status: number | undefined }>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${person.accessToken}`,
      ...(body && { 'content-type': 'application/json' }),
    }
    request(`${server.url}/api/v1${path}`, { agent, method, headers }, reply => {
      reply.resume().once('end', () => resolve({ status: reply.statusCode }))
    })
      .once('error', reject)
      .end(body && JSON.stringify(body))
  })

/** V8's lines about its collections of new objects. */
const collections = () => server.log.filter(line => line.includes(' gc=s '))

const sum = (lines: readonly string[], field: 'allocated' | 'promoted') =>
  lines.reduce((total, line) => total + Number(new RegExp(` ${field}=(\\d+) `).exec(line)![1]), 0)

/** Of the memory that requests allocated, the share that outlived them, over four collections of new objects. */
const promotedShare = async (call: Call) => {
  const until = async (count: number) => {
    const goOn = async () => {
      while (collections().length < count)
        expect(await served(() => send(call))).toEqual({ status: call.status ?? 200 })
    }
    await Promise.all(Array.from({ length: atOnce }, goOn))
  }
  // What is kept for good, such as compiled code and prepared statements, is made first.
  await until(collections().length + 3)
  const before = collections().length
  await until(before + 4)
  const seen = collections().slice(before)
  return sum(seen, 'promoted') / sum(seen, 'allocated')
}

test.each<[string, () => Call]>([
  ['a campaign by its id', () => ({ person: developer, path: `/campaigns/${campaignId}` })],
  ['a list of campaigns', () => ({ person: developer, path: '/campaigns' })],
  ['a test', () => ({ person: tester, path: `/testers/campaign-testers/${testId}` })],
  ['a campaign that does not exist', () => ({ person: tester, path: `/campaigns/${randomUUID()}`, status: 404 })],
  ['a change', () => ({ person: developer, method: 'PATCH', path: '/users/me', body: { name: 'Ada' } })],
])('what a finished request for %s leaves is collected with the new objects', async (_what, call) => {
  expect(await promotedShare(call())).toBeLessThan(0.02)
})
