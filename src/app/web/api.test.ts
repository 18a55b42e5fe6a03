import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import { clock } from '../../kit/clock.ts'
import type { ledgerApi } from '../../ledger/contract.ts'
import type { campaignApi } from '../../campaigns/contract.ts'
import type { accountApi } from '../../accounts/contract.ts'

let onStorage: (event: { key: string | null }) => void = () => {}
vi.stubGlobal('addEventListener', (type: string, listener: typeof onStorage) => {
  if (type === 'storage') onStorage = listener
})
vi.stubGlobal('location', { origin: 'http://localhost' })
const stored = stubLocalStorage()
const logged = vi.spyOn(console, 'error').mockImplementation(() => {})

const { client, provideCalls } = await import('../../kit/web/api.ts')
const { endpointTable } = await import('./endpointTable.ts')
provideCalls(endpointTable)
const { keepPosition } = await import('../../kit/web/position.ts')
const { session } = await import('../../kit/web/session.ts')
const { messageOf } = await import('../../kit/web/apiError.ts')

type Sent = { path: string; token: string | null; headers: Headers; body: string | null }
let sent: Sent[] = []

/** The server's answer; the server accepts the access token `good-1` after a refresh with `refresh-0`. */
let answer: (request: Sent) => Response | Promise<Response>

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })

const refreshing = (request: Sent) => {
  if (request.path === '/api/v1/auth/refresh') return json(200, { accessToken: 'good-1', refreshToken: 'refresh-1' })
  return request.token === 'good-1' ? json(200, { balanceCents: 5 }) : json(401, { message: 'Expired' })
}

vi.stubGlobal('fetch', async (path: string, init: { headers: Headers; body: string | null }) => {
  const token = init.headers.get('authorization')?.replace('Bearer ', '') ?? null
  const request = { path, token, headers: init.headers, body: init.body }
  sent.push(request)
  return answer(request)
})

const ledger = client<typeof ledgerApi>('ledger')
const campaigns = client<typeof campaignApi>('campaigns')
const accounts = client<typeof accountApi>('accounts')
const refreshes = () => sent.filter(({ path }) => path.endsWith('/auth/refresh')).length

const failing = async (response: () => Response | Promise<Response>) => {
  answer = response
  return ledger.balance().then(
    () => null,
    (error: unknown) => error,
  )
}

const person = (id: string) => ({ id, email: `${id}@example.com`, name: 'N', role: 'TESTER' as const })

const signedIn = (id: string, accessToken: string) => {
  stored.setItem('accessToken', accessToken)
  stored.setItem('refreshToken', 'refresh-0')
  stored.setItem('user', JSON.stringify(person(id)))
}

const serverTime = (ms: number) => ({ 'x-server-time': new Date(ms).toISOString() })

beforeEach(() => {
  sent = []
  signedIn('ann', 'expired')
  session.restore()
})

describe('the position of the last write', () => {
  const [first, second] = ['00000000016B3748', '00000000016B4000']
  const at = (position: string) => json(200, { balanceCents: 5 }, { 'fieldtest-position': position })
  const named = () => sent.at(-1)?.headers.get('fieldtest-position')
  beforeEach(() => {
    stored.removeItem('position')
    signedIn('ann', 'good-1')
  })
  afterEach(() => {
    stored.removeItem('position')
    clock.setOffsetMs(0)
  })

  test('is sent with later reads, including those of another tab, and never goes back', async () => {
    answer = () => json(200, { balanceCents: 5 })
    await ledger.balance()
    expect(named()).toBe('0'.repeat(16))
    for (const position of [second, first]) {
      answer = () => at(position)
      await campaigns.pause({ params: { id: 'c1' } })
      expect(named()).toBeNull()
      await ledger.balance()
      expect(named()).toBe(second)
    }
    expect(stored.getItem('position')).toMatch(`${second} `)
  })

  test('is forgotten after a minute, since a restored database counts differently', async () => {
    answer = () => at(second)
    await campaigns.pause({ params: { id: 'c1' } })
    answer = () => json(200, { balanceCents: 5 })
    clock.setOffsetMs(61_000)
    await ledger.balance()
    expect(named()).toBe('0'.repeat(16))
    keepPosition(first)
    await ledger.balance()
    expect(named()).toBe(first)
  })
})

test('several requests that were refused share one refresh and are then repeated', async () => {
  answer = refreshing
  const balances = await Promise.all([ledger.balance(), ledger.balance(), ledger.balance()])
  expect(balances.map(({ balanceCents }) => balanceCents)).toEqual([5, 5, 5])
  expect(refreshes()).toBe(1)
  expect(stored.getItem('refreshToken')).toBe('refresh-1')
})

test('a token that another tab renewed is used without another refresh', async () => {
  answer = request => {
    if (request.token === 'expired') stored.setItem('accessToken', 'good-1')
    return refreshing(request)
  }
  await ledger.balance()
  expect(refreshes()).toBe(0)
})

test.each([
  ['which this tab knows', () => onStorage({ key: 'accessToken' })],
  ['which this tab has yet to learn', () => {}],
])('a refused request is not repeated as a user who signed in in another tab, %s', async (_, learn) => {
  answer = ({ token }) => {
    if (token !== 'expired') return json(200, { balanceCents: 5 })
    signedIn('bob', 'bobs')
    learn()
    return json(401, { message: 'Expired' })
  }
  await expect(ledger.balance()).rejects.toMatchObject({ status: 401 })
  expect(sent.map(({ token }) => token)).toEqual(['expired'])
})

test('a refused refresh signs out', async () => {
  answer = ({ path }) => json(401, { code: 'UNAUTHENTICATED', message: path })
  await expect(ledger.balance()).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  expect(session.user()).toBeNull()
  expect(Object.keys(stored).length).toBe(0)
})

test('a server that fails to refresh does not sign out', async () => {
  answer = ({ path }) => (path.endsWith('/auth/refresh') ? json(503, {}) : json(401, { message: 'Expired' }))
  await expect(ledger.balance()).rejects.toMatchObject({ status: 503, message: 'HTTP 503' })
  expect(session.user()).not.toBeNull()
})

test('an error reads the body’s message, then HTTP {status}, then Network error (spec §8)', async () => {
  const said = { code: 'WRONG_STATE', message: 'Not now.', fields: { a: 'Bad' }, requestId: 'r1' }
  expect(await failing(() => json(409, said))).toMatchObject({ status: 409, ...said })
  expect(await failing(() => json(502, {}))).toMatchObject({ message: 'HTTP 502', code: 'UNKNOWN' })
  expect(await failing(() => new Response('<html>', { status: 500 }))).toMatchObject({ message: 'Network error' })
  expect(await failing(() => Promise.reject(new TypeError('offline')))).toMatchObject({
    status: 0,
    message: 'Network error',
  })
})

test('a form’s own sentence replaces a missing message, and no other', async () => {
  const said = async (response: () => Response | Promise<Response>) =>
    messageOf(await failing(response), 'Login failed')
  expect(await said(() => json(502, {}))).toBe('Login failed')
  expect(await said(() => json(502, { message: '' }))).toBe('Login failed')
  expect(await said(() => json(401, { message: 'Wrong password.' }))).toBe('Wrong password.')
  expect(await said(() => new Response('<html>', { status: 500 }))).toBe('Network error')
  expect(messageOf(await failing(() => json(502, {})))).toBe('HTTP 502')
})

test('an unreadable stored user signs out (spec §8)', () => {
  stored.setItem('user', '{nope')
  session.restore()
  expect(session.user()).toBeNull()
  expect(Object.keys(stored).length).toBe(0)
})

test('paths, queries and pages follow the contract', async () => {
  answer = () => json(200, [{ id: 'c' }], { link: '</api/v1/campaigns?limit=1&cursor=c%201>; rel="next"' })
  const page = await campaigns.list({ query: { search: 'a&b', limit: 1, cursor: undefined } })
  expect(page).toEqual({ items: [{ id: 'c' }], nextCursor: 'c 1' })
  expect(sent[0]?.path).toBe('/api/v1/campaigns?search=a%26b&limit=1')
  answer = () => json(200, {})
  await campaigns.fund({ params: { id: 'a/b' }, body: { amountCents: 5 } })
  expect(sent[1]).toMatchObject({ path: '/api/v1/campaigns/a%2Fb/fund', body: '{"amountCents":5}' })
})

describe('idempotency keys', () => {
  const keys = () =>
    sent.filter(({ path }) => !path.endsWith('/auth/refresh')).map(({ headers }) => headers.get('idempotency-key'))
  const withdraw = async (reply: () => Response | Promise<Response>, amountCents = 1000) => {
    answer = reply
    await settled(ledger.withdraw({ body: { amountCents } }))
    return keys().at(-1)
  }
  /** Runs through the pauses between tries. */
  const settled = async (call: Promise<unknown>) => {
    const settling = call.catch(() => {})
    await vi.advanceTimersByTimeAsync(6_000)
    await settling
  }
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const done = () => json(200, {})
  const refused = () => json(409, { message: 'Not now.' })
  const cutOff = () => new Response('{"id":', { status: 200 })

  test.each([
    ['no reply', () => Promise.reject(new TypeError('offline'))],
    ['a failure of the server', () => json(503, {})],
    ['a reply that breaks off', cutOff],
  ])('after %s the same request keeps its key until a definite reply arrives', async (_, lost) => {
    const key = await withdraw(lost)
    expect(key).toMatch(/^[0-9a-f]{32}$/)
    expect(await withdraw(lost)).toBe(key)
    expect(await withdraw(done)).toBe(key)
    expect(await withdraw(done)).not.toBe(key)
  })

  test.each([
    ['busy or restarting', () => json(503, { message: 'Busy.' })],
    ['behind a proxy that has nobody', () => new Response('<html>', { status: 502 })],
    ['not to be reached', () => Promise.reject(new TypeError('offline'))],
    ['gone before the end of its answer', cutOff],
  ])('a server that is %s is asked again with the same key, without another click', async (_, away) => {
    let tries = 0
    await withdraw(() => (++tries < 3 ? away() : done()))
    expect([tries, new Set(keys()).size]).toEqual([3, 1])
    // The key has been used up.
    expect(await withdraw(done)).not.toBe(keys()[0])
  })

  test('it is asked four times in five seconds, and then the user decides', async () => {
    await withdraw(() => json(503, {}))
    expect(keys()).toHaveLength(4)
  })

  test.each([400, 409, 422, 500])('a %i is no reason to ask again', async status => {
    await withdraw(() => json(status, { message: 'No.' }))
    expect(keys()).toHaveLength(1)
  })

  test('nothing is asked again as another user, nor offline, nor without a key', async () => {
    await withdraw(() => {
      signedIn('bob', 'bobs')
      return json(503, {})
    })
    expect(keys()).toHaveLength(1)
    signedIn('ann', 'good-1')
    vi.stubGlobal('navigator', { onLine: false })
    await withdraw(() => json(503, {}))
    expect(keys()).toHaveLength(2)
    vi.stubGlobal('navigator', { onLine: true })
    await settled(accounts.updateMe({ body: { name: 'Ann' } }))
    expect(keys()).toHaveLength(3)
  })

  test('a success or a refusal uses up the key', async () => {
    await withdraw(done)
    await withdraw(refused)
    await withdraw(refused)
    expect(new Set(keys()).size).toBe(3)
  })

  test.each([401, 429])('a %i says nothing about the previous attempt', async status => {
    const key = await withdraw(cutOff)
    expect(await withdraw(() => json(status, {}))).toBe(key)
    signedIn('ann', 'expired')
    session.restore()
    expect(await withdraw(done)).toBe(key)
  })

  test('two clicks at the same time make one request', async () => {
    await Promise.all([withdraw(done), withdraw(done)])
    expect(new Set(keys()).size).toBe(1)
  })

  test('a late reply does not use up the key of a later request', async () => {
    const late = Promise.withResolvers<Response>()
    const slow = withdraw(() => late.promise)
    await withdraw(done)
    const key = await withdraw(cutOff)
    late.resolve(done())
    await slow
    expect(await withdraw(done)).toBe(key)
  })

  test('each amount, campaign and user has its own key', async () => {
    await withdraw(cutOff)
    await withdraw(cutOff, 2000)
    for (const id of ['a', 'b']) await settled(campaigns.cancel({ params: { id } }))
    signedIn('bob', 'bobs')
    session.restore()
    await withdraw(done)
    expect(new Set(keys()).size).toBe(5)
  })

  test('a request that is repeated after a token refresh keeps its key', async () => {
    answer = request =>
      request.path.endsWith('/withdraw') && request.token === 'good-1' ? done() : refreshing(request)
    await ledger.withdraw({ body: { amountCents: 3000 } })
    const [first, repeated] = keys()
    expect(sent.map(({ token }) => token)).toEqual(['expired', null, 'good-1'])
    expect(repeated).toBe(first)
  })

  test('a read request has no key', async () => {
    answer = done
    await ledger.balance()
    expect(keys()).toEqual([null])
  })
})

test('the page follows the server’s clock if they differ by more than 5 seconds', async () => {
  answer = () => json(200, {}, serverTime(clock.nowMs() + 3000))
  await ledger.balance()
  expect(clock.offsetMs()).toBe(0)
  answer = () => json(200, {}, serverTime(clock.nowMs() + 86_400_000))
  await ledger.balance()
  expect(Math.round(clock.offsetMs() / 1000)).toBe(86_400)
  clock.setOffsetMs(0)
})

test('aborting a request while its response is being read is not a failure', async () => {
  logged.mockClear()
  const given = new AbortController()
  const leave = new DOMException('Left', 'AbortError')
  answer = () => {
    const body = new ReadableStream({
      pull: stream => {
        given.abort(leave)
        stream.error(leave)
      },
    })
    return new Response(body, { status: 200 })
  }
  await expect(ledger.balance({ signal: given.signal })).rejects.toBe(leave)
  expect(logged).not.toHaveBeenCalled()
})

test('calls are made as their contract says, without a token if the endpoint is public', async () => {
  answer = () => json(200, {})
  await accounts.login({ body: { email: 'e@example.com', password: 'p' } })
  expect(sent[0]).toMatchObject({ path: '/api/v1/auth/login', token: null })
})
