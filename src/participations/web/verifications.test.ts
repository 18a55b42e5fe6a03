import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'

let leavePage: () => void = () => {}
let onVisibility: () => void = () => {}
const page = {
  visibilityState: 'visible',
  addEventListener: (_type: string, listener: () => void) => {
    onVisibility = listener
  },
}
vi.stubGlobal('document', page)
vi.stubGlobal('addEventListener', (type: string, listener: () => void) => {
  if (type === 'pagehide') leavePage = listener
})
let storage = stubLocalStorage()
const logged = vi.spyOn(console, 'error').mockImplementation(() => {})

// Its listeners are to be those of this file.
vi.resetModules()
const { provideCalls } = await import('../../kit/web/api.ts')
const { session } = await import('../../kit/web/session.ts')
const { notify } = await import('../../kit/web/ui/toast.tsx')
const { undoMs, verifications, whom } = await import('./verifications.ts')
provideCalls({
  participations: {
    verify: ['POST', '/campaign-testers/:id/verify', '', 0, 1],
    verifyAll: ['POST', '/campaign-testers/verify', '', 0, 1],
  },
})

type Sent = { path: string; key: string | null; body: string | null; keepalive: boolean }
let sent: Sent[] = []
let answer: (sent: Sent) => Response | Promise<Response>
vi.stubGlobal('fetch', (path: string, init: { headers: Headers; body: string | null; keepalive?: boolean }) => {
  const request = {
    path: path.replace('/api/v1', ''),
    key: init.headers.get('idempotency-key'),
    body: init.body,
    keepalive: init.keepalive ?? false,
  }
  sent.push(request)
  return Promise.resolve(request).then(answer)
})

const json = (status: number, body: unknown) => Response.json(body, { status })
const verified = () => json(200, {})
const broken = () => json(500, { message: 'It broke.' })
const told = vi.spyOn(notify, 'error').mockImplementation(() => undefined)

const signIn = (id: string) =>
  session.signIn({
    accessToken: `access-${id}`,
    refreshToken: `refresh-${id}`,
    user: { id, email: `${id}@example.com`, name: id, role: 'DEVELOPER' },
  })

const campaignId = 'c1'
const submittedAt = '2026-11-20T10:00:00.000Z'
const proof = { submittedAt }
const one = { campaignId, testers: [{ id: 't1', alias: 'Tester 1', proof }] }
const two = {
  campaignId,
  testers: [
    { id: 't2', alias: 'Tester 2', proof },
    { id: 't3', alias: 'Tester 3', proof },
  ],
}
const kept = () => Object.keys(storage).filter(key => key.startsWith('verifying:'))
const steps = () => verifications.all().map(({ step }) => step)
const paths = () => sent.map(({ path }) => path)
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
  storage = stubLocalStorage()
  sent = []
  answer = verified
  page.visibilityState = 'visible'
  signIn('dora')
  told.mockClear()
})
afterEach(() => {
  verifications.hold(false)
  session.clear()
  vi.useRealTimers()
})
afterAll(() => {
  logged.mockRestore()
  told.mockRestore()
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('a decision is sent when the time to undo it is over, and then forgotten', async () => {
  verifications.decide(one)
  await pass(undoMs - 1)
  expect([paths(), steps(), kept().length]).toEqual([[], ['WAITING'], 1])
  await pass(1)
  expect(paths()).toEqual(['/campaign-testers/t1/verify'])
  // The proof that was read, as another may have been submitted by the time this is sent.
  expect(sent[0]).toMatchObject({ keepalive: true, body: JSON.stringify({ proofSubmittedAt: submittedAt }) })
  expect([steps(), kept(), told.mock.calls]).toEqual([[], [], []])
})

test('until then the last decision that waits can be taken back, and is not sent', async () => {
  verifications.decide(one)
  verifications.decide(two)
  expect(verifications.undo()?.ids).toEqual(['t2', 't3'])
  expect(verifications.all().map(({ ids }) => ids)).toEqual([['t1']])
  await pass(undoMs)
  expect(paths()).toEqual(['/campaign-testers/t1/verify'])
  expect(verifications.undo()).toBeUndefined()
})

test('several are verified in one call, and whoever was refused is named with the reason', async () => {
  answer = () =>
    json(200, {
      results: [
        { id: 't2', status: 'VERIFIED', message: null },
        { id: 't3', status: 'REFUSED', message: 'It was rejected.' },
      ],
    })
  verifications.decide(two)
  await pass(undoMs)
  const body = JSON.stringify({ ids: ['t2', 't3'], proofsSubmittedAt: [submittedAt, submittedAt] })
  expect(sent.map(call => [call.path, call.body])).toEqual([['/campaign-testers/verify', body]])
  // The page may be left meanwhile.
  expect(sent[0]!.keepalive).toBe(true)
  expect(told.mock.calls).toEqual([['Tester 3 was not verified: It was rejected.']])
  expect(steps()).toEqual([])
})

test('a refusal is final, and is said', async () => {
  answer = () => json(409, { message: 'The test is over.' })
  verifications.decide(one)
  await pass(undoMs)
  verifications.decide(two)
  await pass(undoMs)
  expect([steps(), kept()]).toEqual([[], []])
  expect(told.mock.calls).toEqual([
    ['Tester 1 was not verified: The test is over.'],
    ['2 testers were not verified: The test is over.'],
  ])
})

test('whoever does not confirm a step-up is told so', async () => {
  answer = () => json(403, { code: 'STEP_UP_REQUIRED', message: 'Confirm it.' })
  verifications.decide(one)
  await pass(undoMs)
  expect(told.mock.calls).toEqual([['Tester 1 was not verified: it was not confirmed']])
})

test('without a clear answer it is kept, and sent again under the same key', async () => {
  answer = broken
  verifications.decide(one)
  await pass(undoMs)
  expect([steps(), kept().length, told.mock.calls]).toEqual([['FAILED'], 1, []])
  answer = verified
  verifications.retry()
  await pass(0)
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  expect([sent.length, steps(), kept()]).toEqual([2, [], []])
})

test('what waits or is on its way is not sent again by a retry', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  answer = () => promise
  verifications.decide(one)
  verifications.retry()
  await pass(undoMs)
  verifications.retry()
  verifications.sendAll()
  await pass(0)
  expect([sent.length, steps()]).toEqual([1, ['SENDING']])
  resolve(verified())
  await pass(0)
  expect(steps()).toEqual([])
})

test('nothing is sent while the undo button has the focus, and everything a full time after', async () => {
  verifications.decide(one)
  verifications.hold(true)
  verifications.decide(two)
  await pass(3 * undoMs)
  expect([sent, steps()]).toEqual([[], ['WAITING', 'WAITING']])
  verifications.hold(false)
  await pass(undoMs - 1)
  expect(sent).toEqual([])
  await pass(1)
  expect(paths()).toEqual(['/campaign-testers/t1/verify', '/campaign-testers/verify'])
})

test('a page that is hidden or left sends what waits, at once and once', async () => {
  verifications.decide(one)
  onVisibility()
  await pass(0)
  expect(sent).toEqual([])
  page.visibilityState = 'hidden'
  onVisibility()
  leavePage()
  await pass(undoMs)
  expect(paths()).toEqual(['/campaign-testers/t1/verify'])
})

const left = (more: object) => {
  const verification = {
    key: 'k9',
    reviewerId: 'dora',
    campaignId,
    ids: ['t9'],
    aliases: ['Tester 9'],
    decidedAt: Date.now(),
    left: true,
  }
  storage.setItem('verifying:k9', JSON.stringify({ ...verification, ...more }))
}

test('what a page could not send before it was left, the next one sends under its key', async () => {
  left({})
  verifications.resume()
  verifications.resume()
  await pass(0)
  expect(sent.map(({ path, key }) => [path, key])).toEqual([['/campaign-testers/t9/verify', 'k9']])
  expect(kept()).toEqual([])
})

test('what another tab still lets its reader undo is sent only when that tab must be gone', async () => {
  left({ left: false })
  verifications.resume()
  await pass(3 * undoMs - 1)
  expect(sent).toEqual([])
  await pass(1)
  expect(paths()).toEqual(['/campaign-testers/t9/verify'])
})

test('a clock that was set back does not hold it up for longer', async () => {
  left({ left: false, decidedAt: Date.now() + 86_400_000 })
  verifications.resume()
  await pass(3 * undoMs)
  storage.setItem('verifying:k9', storage.getItem('verifying:k9')!.replace('"left":false', '"left":true'))
  await pass(3 * undoMs)
  expect(paths()).toEqual(['/campaign-testers/t9/verify'])
})

test('nothing is sent in another one’s name: it waits for the one who decided it', async () => {
  verifications.decide(one)
  signIn('dan')
  expect(verifications.all()).toEqual([])
  await pass(undoMs)
  verifications.resume()
  await pass(undoMs)
  expect([sent, kept().length]).toEqual([[], 1])
  signIn('dora')
  verifications.resume()
  await pass(4 * undoMs)
  expect(paths()).toEqual(['/campaign-testers/t1/verify'])
})

test('a change to the profile of the same person leaves what waits alone', async () => {
  verifications.decide(one)
  session.update({ ...session.user()!, name: 'Dora Dean' })
  expect(steps()).toEqual(['WAITING'])
  await pass(undoMs)
  expect(sent.length).toBe(1)
})

test('screens hear of each step until they stop listening', async () => {
  const heard: string[][] = []
  const stop = verifications.subscribe(() => heard.push(steps()))
  verifications.decide(one)
  await pass(undoMs)
  expect([heard[0], heard.at(-1)]).toEqual([['WAITING'], []])
  expect(heard).toContainEqual(['SENDING'])
  const before = heard.length
  stop()
  verifications.decide(two)
  expect(heard.length).toBe(before)
})

test('one is called by the alias, several by their number', () => {
  expect([whom({ aliases: ['Tester 3'] }), whom({ aliases: ['Tester 3', 'Tester 4'] })]).toEqual([
    'Tester 3',
    '2 testers',
  ])
})
