import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { BrowserRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { session } from '../../kit/web/session.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { CampaignTester } from '../contract.ts'
import { type Desk, useDesk } from './useDesk.ts'
import { verifications } from './verifications.ts'

provideCalls({ participations: { ofCampaign: ['GET', '/campaigns/:id/testers', 'page', 0, 0] } })

let deadlines: Record<number, string> = {}
/** Those whose rejection waits for an admin. */
let asked: number[] = []
const tester = (number: number) =>
  ({
    id: `t${number}`,
    alias: `Tester ${number}`,
    deadlineAt: deadlines[number] ?? null,
    consentRequest: asked.includes(number) ? { outcome: null } : null,
  }) as CampaignTester
const testers = (...numbers: number[]) => numbers.map(tester)

/** The proofs that wait at the server, in pages of so many. */
let waiting: readonly CampaignTester[] = []
let pageSize = 100

const Screen = ({ children }: { children: ReactNode }) => (
  <Queries>
    <BrowserRouter>{children}</BrowserRouter>
  </Queries>
)

/** The desk with these proofs, loaded; `everReplaced` is whether it ever said so. */
const desk = async (numbers: number[], search = '') => {
  waiting = testers(...numbers)
  history.replaceState(null, '', `/campaigns/c1/review${search}`)
  let everReplaced = false
  const { result } = renderHook(
    () => {
      const shown = useDesk('c1')
      everReplaced ||= shown.isReplaced
      return shown
    },
    { wrapper: Screen },
  )
  await waitFor(() => expect(result.current.queue).toHaveLength(numbers.length))
  return {
    at: () => result.current.open?.id,
    place: () => result.current.place,
    queue: () => result.current.queue.map(({ id }) => id),
    said: () => result.current.said,
    goingTo: () => result.current.goingTo.current,
    isReplaced: () => result.current.isReplaced,
    everReplaced: () => everReplaced,
    does: (what: (desk: Desk) => unknown) => act(() => void what(result.current)),
    /** The server has these by now, and the roster is loaded anew. */
    reloaded: async (...now: number[]) => {
      waiting = testers(...now)
      const { roster } = result.current
      await act(() => roster.refetch())
      await waitFor(() => expect(result.current.roster.dataUpdatedAt).toBeGreaterThan(roster.dataUpdatedAt))
    },
  }
}

beforeEach(() => {
  pageSize = 100
  deadlines = {}
  asked = []
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address, location.origin)
    if (pathname !== '/api/v1/campaigns/c1/testers' || searchParams.get('status') !== 'SUBMITTED')
      return Response.json({ message: 'There is no such list.' }, { status: 404 })
    const from = Number(searchParams.get('cursor') ?? 0)
    const to = from + pageSize
    const link = to < waiting.length && `<https://fieldtest.test/?cursor=${to}>; rel="next"`
    return Response.json(waiting.slice(from, to), { headers: link ? { link } : {} })
  })
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 'dora', email: 'dora@example.com', name: 'Dora', role: 'DEVELOPER' },
  })
})
afterEach(() => {
  cleanup()
  // Nothing that waits is sent after its test.
  session.clear()
  queryClient.clear()
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('the first proof is open, and stays so when another one comes before it', async () => {
  const { at, place, said, goingTo, isReplaced, reloaded } = await desk([1, 2])
  expect([at(), place(), said(), goingTo(), location.search]).toEqual(['t1', 0, '', null, ''])
  await reloaded(0, 1, 2)
  expect([at(), place(), isReplaced()]).toEqual(['t1', 1, false])
})

test('the proof with the nearest deadline comes first, and one that has none last', async () => {
  deadlines = { 2: '2026-11-24T12:00:00.000Z', 3: '2026-11-23T12:00:00.000Z' }
  const { at, queue } = await desk([1, 2, 3])
  expect([at(), queue()]).toEqual(['t3', ['t3', 't2', 't1']])
})

test('a link opens its proof, also one of a later page, and nothing is said to be replaced meanwhile', async () => {
  pageSize = 1
  const { at, place, queue, everReplaced } = await desk([1, 2, 3], '?test=t3')
  expect([at(), place(), queue()]).toEqual(['t3', 2, ['t1', 't2', 't3']])
  expect(everReplaced()).toBe(false)
})

test('next and previous go by one, the address follows without a trail, and so does the focus', async () => {
  const { at, place, said, goingTo, does } = await desk([1, 2, 3, 4])
  const before = history.length
  does(({ next }) => next())
  expect([at(), place(), said(), goingTo(), location.search]).toEqual(['t2', 1, '', 't2', '?test=t2'])
  does(({ next }) => next())
  does(({ previous }) => previous())
  expect([at(), goingTo(), location.search, history.length]).toEqual(['t2', 't2', '?test=t2', before])
})

test('at an end the reader hears that, and stays', async () => {
  const { at, said, goingTo, does } = await desk([1, 2])
  does(({ previous }) => previous())
  expect([at(), said(), goingTo()]).toEqual(['t1', 'This is the first proof.', null])
  does(({ next }) => next())
  expect([at(), said()]).toEqual(['t2', ''])
  does(({ next }) => next())
  expect([at(), said()]).toEqual(['t2', 'This is the last proof.'])
})

test('a proof of the queue can be chosen', async () => {
  const { at, said, goingTo, does } = await desk([1, 2, 3])
  does(({ previous }) => previous())
  does(({ show }) => show(tester(3)))
  expect([at(), said(), goingTo(), location.search]).toEqual(['t3', '', 't3', '?test=t3'])
})

test.each([
  ['the next one', 't2', [2], 't3', ['t1', 't3', 't4']],
  ['the first that is left, after the last one', 't4', [4], 't1', ['t1', 't2', 't3']],
  ['the next that is not verified with it', 't1', [1, 2, 3], 't4', ['t4']],
  ['the one after it, when others are verified', 't3', [1, 2], 't4', ['t3', 't4']],
])('after a verification the desk goes on to %s', async (_which, from, verified, to, left) => {
  const { at, queue, goingTo, said, does } = await desk([1, 2, 3, 4], `?test=${from}`)
  does(({ verify }) => verify(testers(...verified)))
  expect([at(), queue(), goingTo(), location.search]).toEqual([to, left, to, `?test=${to}`])
  const who = verified.length > 1 ? `${verified.length} testers` : `Tester ${verified[0]}`
  expect(said()).toBe(`${who} will be verified in 5 seconds. Next: Tester ${to.slice(1)}.`)
  expect(verifications.all()).toMatchObject([{ campaignId: 'c1', ids: verified.map(number => `t${number}`) }])
})

test('offline nobody is told that it takes five seconds', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { said, does } = await desk([1, 2], '?test=t1')
  does(({ verify }) => verify([tester(1)]))
  expect(said()).toBe('Tester 1 will be verified when you are back online. Next: Tester 2.')
})

test('after the last proof the desk is empty, and says so', async () => {
  const { at, queue, place, goingTo, said, isReplaced, does } = await desk([1], '?test=t1')
  does(({ verify }) => verify([tester(1)]))
  expect([at(), queue(), place(), goingTo(), location.search]).toEqual([undefined, [], 0, '', ''])
  expect(said()).toBe('Tester 1 will be verified in 5 seconds. That was the last proof.')
  expect(isReplaced()).toBe(false)
})

test.each([
  [[2], 't2', 'Undone: Tester 2 is not verified.'],
  [[2, 3], 't2', 'Undone: 2 testers are not verified.'],
])('who takes back the verification of %j is led back to the first of them', async (verified, to, words) => {
  const { at, queue, goingTo, said, does } = await desk([1, 2, 3, 4])
  does(({ verify }) => verify(testers(...verified)))
  does(({ undo }) => undo())
  expect([at(), goingTo(), said(), queue().length]).toEqual([to, to, words, 4])
  expect(verifications.all()).toEqual([])
})

test('without a verification that waits there is nothing to undo', async () => {
  const { at, said, goingTo, does } = await desk([1, 2], '?test=t2')
  does(({ undo }) => undo())
  expect([at(), said(), goingTo()]).toEqual(['t2', '', null])
})

test('a proof that was reviewed is gone at once, together with those before it', async () => {
  const { at, queue, said, does } = await desk([1, 2, 3, 4], '?test=t2')
  does(({ reviewedNow }) => reviewedNow(tester(2), 'Changes requested from Tester 2.'))
  expect([at(), queue(), said()]).toEqual([
    't3',
    ['t1', 't3', 't4'],
    'Changes requested from Tester 2. Next: Tester 3.',
  ])
  does(({ reviewedNow }) => reviewedNow(tester(3), 'Tester 3’s proof was rejected.'))
  expect([at(), queue(), said()]).toEqual(['t4', ['t1', 't4'], 'Tester 3’s proof was rejected. Next: Tester 4.'])
})

test('a proof that was reviewed and is submitted again waits again, whatever else is reviewed then', async () => {
  const { queue, does, reloaded } = await desk([1, 2, 3])
  does(({ reviewedNow }) => reviewedNow(tester(1), 'Changes requested.'))
  await reloaded(1, 2, 3)
  expect(queue()).toEqual(['t1', 't2', 't3'])
  does(({ reviewedNow }) => reviewedNow(tester(2), 'Changes requested.'))
  expect(queue()).toEqual(['t1', 't3'])
})

test('what waits for an admin comes last, and whoever asks for it goes on to a proof that does not', async () => {
  asked = [1]
  const { at, queue, said, does } = await desk([1, 2, 3, 4])
  expect([at(), queue()]).toEqual(['t2', ['t2', 't3', 't4', 't1']])
  does(({ askedNow }) => askedNow(tester(2)))
  expect([at(), said()]).toEqual(['t3', 'An admin decides on Tester 2’s proof. Next: Tester 3.'])
})

test('after the last proof that does not wait for an admin the desk stays where it is, and says so', async () => {
  asked = [1]
  const { at, queue, said, does } = await desk([1, 2])
  does(({ askedNow }) => askedNow(tester(2)))
  expect([at(), queue(), said()]).toEqual(['t2', ['t2', 't1'], 'An admin decides on Tester 2’s proof.'])
})

test('what another one decides is replaced by the first proof, which is reviewed only when it is chosen', async () => {
  const { at, place, said, goingTo, isReplaced, does, reloaded } = await desk([1, 2, 3], '?test=t2')
  await reloaded(1, 3)
  expect([isReplaced(), at(), place(), goingTo()]).toEqual([true, 't1', 0, null])
  does(({ choose }) => choose())
  expect([isReplaced(), at(), goingTo(), location.search]).toEqual([false, 't1', 't1', '?test=t1'])
  expect(said()).toBe('The previous proof was decided elsewhere. This is Tester 1.')
})

test('where no proof is left nothing replaces the one that was open, and nothing is chosen', async () => {
  const { at, said, goingTo, isReplaced, does, reloaded } = await desk([1])
  await reloaded()
  does(({ choose }) => choose())
  expect([isReplaced(), at(), said(), goingTo()]).toEqual([false, undefined, '', null])
  // Its dialog was open still.
  does(({ reviewedNow }) => reviewedNow(tester(1), 'Changes requested from Tester 1.'))
  expect([said(), goingTo()]).toEqual(['Changes requested from Tester 1. That was the last proof.', ''])
})
