/**
 * A request that is over goes with the collection of new objects, which is cheap. What leads from a finished request to a later
 * one keeps all that follow one that was under way during a full collection (docs/performance.md, Finished requests).
 */
import { type AddressInfo, connect } from 'node:net'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, expect, test } from 'vitest'
import { campaignInput } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp({}, { own: true })
const developer = signedUp(t, 'DEVELOPER')

type Collect = (options: { type: 'major' | 'minor' }) => void
let collect: Collect

beforeAll(async () => {
  setFlagsFromString('--expose-gc')
  collect = runInNewContext('gc') as Collect
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  for (let number = 0; number < 10; number++) await developer.call('POST', '/campaigns', campaignInput)
})

/** One behind the other on a connection, `together` on their way at once, each of which counts as answered with its headers. */
const askOnOne = (requests: number, together: number) =>
  new Promise<void>((resolve, reject) => {
    const { port } = t.app.server.address() as AddressInfo
    const lines = [
      'GET /api/v1/campaigns?limit=10 HTTP/1.1',
      'host: x',
      `authorization: Bearer ${developer.accessToken}`,
    ]
    const socket = connect(port, '127.0.0.1')
    let answered = 0
    const ask = () => socket.write(`${lines.join('\r\n')}\r\n\r\n`.repeat(together))
    socket.on('connect', ask).on('error', reject).setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      const before = answered
      answered += chunk.split('HTTP/1.1 200 OK').length - 1
      if (answered >= requests) {
        socket.destroy()
        resolve()
      } else if (Math.floor(answered / together) > Math.floor(before / together)) ask()
    })
  })

const oldBytes = () =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => space_name === 'old_space' || space_name === 'large_object_space')
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0)

const connections = 16
const requests = 100
/** Few of those that are under way are seen by two collections. */
const minorEvery = 200

test('finished requests do not stay among old objects until the next full collection', async () => {
  let seen = 0
  let atCollection = 0
  t.app.server.on('request', () => {
    seen++
    if (seen % minorEvery === 0) collect({ type: 'minor' })
  })
  const askAll = () => Promise.all(Array.from({ length: connections }, () => askOnOne(requests, 2)))
  await askAll()
  const asked = seen
  t.app.server.on('request', () => {
    // In the middle of requests, which it takes for long-lived.
    if (seen !== asked + 2 * minorEvery) return
    collect({ type: 'major' })
    atCollection = oldBytes()
  })
  await askAll()
  const perRequest = (oldBytes() - atCollection) / (connections * requests - 2 * minorEvery)
  expect(perRequest).toBeLessThan(1_500)
})
