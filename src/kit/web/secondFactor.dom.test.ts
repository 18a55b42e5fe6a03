import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FactorRequest } from '../secondFactor.ts'
import { secondFactor } from './secondFactor.ts'
import { session } from './session.ts'

const request: FactorRequest = { challenge: 'c1', factors: ['TOTP'], passkeyRequest: null }
const later: FactorRequest = { ...request, challenge: 'c2' }

const user = (id: string) => ({ id, email: `${id}@example.com`, name: id, role: 'ADMIN' as const })
const signIn = (id: string) => session.signIn({ accessToken: 'access', refreshToken: 'refresh', user: user(id) })

let heard = vi.fn<() => void>()
let stop: () => void = () => {}

beforeEach(() => {
  signIn('ada')
  heard = vi.fn<() => void>()
  stop = secondFactor.subscribe(heard)
})
afterEach(() => {
  session.clear()
  stop()
})

test('nothing is proved if nobody could answer', async () => {
  stop()
  expect(await secondFactor.prove(request)).toBe(false)
  expect([secondFactor.stepUp(), heard.mock.calls.length]).toEqual([null, 0])
})

test.each([true, false])('all requests refused meanwhile wait for one dialog (proved: %s)', async proved => {
  const both = [secondFactor.prove(request), secondFactor.prove(later)]
  expect([secondFactor.stepUp()?.request, heard.mock.calls.length]).toEqual([request, 1])
  secondFactor.stepUp()!.done(proved)
  expect([secondFactor.stepUp(), heard.mock.calls.length]).toEqual([null, 2])
  expect(await Promise.all(both)).toEqual([proved, proved])
})

test('the next refusal asks again', async () => {
  const first = secondFactor.prove(request)
  secondFactor.stepUp()!.done(true)
  await first
  const next = secondFactor.prove(later)
  expect(secondFactor.stepUp()?.request).toEqual(later)
  secondFactor.stepUp()!.done(false)
  expect(await next).toBe(false)
})

test('a user who has to set one up is told once, until it is done', () => {
  expect(secondFactor.setupMissing()).toBe(false)
  secondFactor.finishSetup()
  expect(heard).not.toHaveBeenCalled()
  secondFactor.requireSetup()
  secondFactor.requireSetup()
  expect([secondFactor.setupMissing(), heard.mock.calls.length]).toEqual([true, 1])
  secondFactor.finishSetup()
  expect([secondFactor.setupMissing(), heard.mock.calls.length]).toEqual([false, 2])
})

test.each([
  ['signs out', () => session.clear()],
  ['gives way to somebody else', () => signIn('bob')],
])('what was asked of one who %s is over', async (_, change) => {
  secondFactor.requireSetup()
  const answer = secondFactor.prove(request)
  change()
  expect(await answer).toBe(false)
  expect([secondFactor.stepUp(), secondFactor.setupMissing()]).toEqual([null, false])
})

test('a change to the same person’s profile changes nothing', () => {
  secondFactor.requireSetup()
  void secondFactor.prove(request)
  session.update({ ...user('ada'), name: 'Ada Lee' })
  expect([secondFactor.stepUp()?.request, secondFactor.setupMissing()]).toEqual([request, true])
})
