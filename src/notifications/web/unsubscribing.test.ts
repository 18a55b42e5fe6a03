import { afterAll, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import { stubNetwork } from '../../testing/network.ts'

// The session listens to the page's storage as soon as it is loaded.
vi.stubGlobal('addEventListener', () => {})
stubLocalStorage()
const network = stubNetwork()
const { endpointTable } = await import('../../app/web/endpointTable.ts')
const { provideCalls } = await import('../../kit/web/api.ts')
const { unsubscribe } = await import('./unsubscribing.ts')
provideCalls(endpointTable)

afterAll(() => {
  vi.unstubAllGlobals()
})

test.each([false, true])('a link turns its emails off and on: %s', async emails => {
  const topic = { title: 'Proofs', digest: false, emails }
  network.sent.length = 0
  network.answer = () => Response.json(topic)
  expect(await unsubscribe('t1', emails)).toEqual(topic)
  expect(network.sent).toMatchObject([
    { method: 'POST', path: '/unsubscribe', token: null, body: { token: 't1', emails } },
  ])
})
