/** What the desk says of verifications that are not sent yet is what will happen. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { CampaignTester } from '../contract.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { session } from '../../kit/web/session.ts'
import { DecisionBar } from './DecisionBar.tsx'
import { verifications } from './verifications.ts'

provideCalls(endpointTable)
const logged = vi.spyOn(console, 'error').mockImplementation(() => {})

let online = true
const network = (there: boolean) =>
  act(async () => {
    online = there
    dispatchEvent(new Event(there ? 'online' : 'offline'))
  })
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

const none = () => {}
const bar = (open?: CampaignTester) =>
  render(
    <DecisionBar
      campaign={{ payPerTesterCents: 1000 } as Campaign}
      open={open}
      onVerify={none}
      onChanges={none}
      onReject={none}
      onUndo={verifications.undo}
    />,
  )
const said = () => [...document.querySelectorAll('section p')].map(line => line.textContent?.replace(/\s+/g, ' '))
const decide = (number: number) =>
  act(() =>
    verifications.decide({ campaignId: 'c1', testers: [{ id: `t${number}`, alias: `Tester ${number}`, proof: null }] }),
  )

beforeEach(() => {
  vi.useFakeTimers()
  online = true
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online)
  vi.stubGlobal('fetch', async () => {
    if (!online) throw new TypeError('Failed to fetch')
    return new Promise(() => {})
  })
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 'dora', email: 'dora@example.test', name: 'Dora', role: 'DEVELOPER' },
  })
})
afterEach(() => {
  cleanup()
  verifications.hold(false)
  session.clear()
  queryClient.clear()
  localStorage.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  logged.mockClear()
})

test('offline no seconds are counted, and the reader is told that it is sent later, as it then is', async () => {
  bar()
  await network(false)
  decide(1)
  expect(said()).toEqual(['Verifying Tester 1 when you are back online'])
  await pass(5000)
  expect(said()).toEqual(['No connection. Tester 1 will be verified when you are back online.'])
  await network(true)
  expect(said()).toEqual(['Loading Verifying Tester 1 …'])
})

test('no seconds are counted while the undo button has the focus, and all of them after it', async () => {
  bar()
  decide(1)
  await pass(2000)
  expect(said()).toEqual(['Verifying Tester 1 in 3 s'])
  const undo = screen.getByRole('button', { name: /^Undo/ })
  fireEvent.focus(undo)
  await pass(9000)
  expect(said()).toEqual(['Verifying Tester 1 (paused)'])
  fireEvent.blur(undo)
  expect(said()).toEqual(['Verifying Tester 1 in 5 s'])
})

test('after the last one was undone, the seconds are those of the one before', async () => {
  bar()
  decide(1)
  await pass(3000)
  decide(2)
  expect(said()).toEqual(['Verifying Tester 2 in 5 s and 1 before'])
  act(() => void verifications.undo())
  expect(said()).toEqual(['Verifying Tester 1 in 2 s'])
})

test('a verification and its failure are announced, and the seconds that pass are not', async () => {
  bar({ actions: ['verify'], alias: 'Tester 1', changesRequested: 0 } as unknown as CampaignTester)
  const place = screen.getByRole('status')
  expect(place.textContent).toBe('')
  decide(1)
  expect(place.querySelector('[aria-hidden]')?.textContent).toMatch(/^in \d s$/)
  expect(place.textContent).toContain('Undo the verification of Tester 1')
  act(() => void verifications.undo())
})
