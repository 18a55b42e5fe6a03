import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type SessionUser, session } from './session.ts'

const user = (id: string, more: Partial<SessionUser> = {}): SessionUser => ({
  id,
  email: `${id}@example.com`,
  name: id,
  role: 'TESTER',
  ...more,
})
const tess = user('tess')

const signIn = () => session.signIn({ accessToken: 'access', refreshToken: 'refresh', user: tess })
const stored = () => ['accessToken', 'refreshToken', 'user', 'refreshAttempt'].map(key => localStorage.getItem(key))
const nothing = [null, null, null, null]
const writtenElsewhere = (key: string | null) => dispatchEvent(new StorageEvent('storage', { key }))

/** Who was signed in each time that screens were notified. */
let heard: (string | undefined)[] = []
let stop: () => void = () => {}
const logged = vi.spyOn(console, 'error').mockImplementation(() => {})

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  session.clear()
  heard = []
  logged.mockClear()
  stop = session.subscribe(() => heard.push(session.user()?.id))
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

test('a sign-in is stored, and screens are notified until they stop listening', () => {
  signIn()
  expect(stored()).toEqual(['access', 'refresh', JSON.stringify(tess), null])
  expect([session.user(), session.ownerId(), session.accessToken(), session.refreshToken()]).toEqual([
    tess,
    'tess',
    'access',
    'refresh',
  ])
  stop()
  session.clear()
  expect(heard).toEqual(['tess'])
})

test('the access token is written last and removed first, because it alone says that somebody is signed in', () => {
  const [set, remove] = [vi.spyOn(Storage.prototype, 'setItem'), vi.spyOn(Storage.prototype, 'removeItem')]
  signIn()
  session.rotate({ accessToken: 'access-2', refreshToken: 'refresh-2' })
  expect(set.mock.calls.map(([key]) => key)).toEqual([
    'refreshToken',
    'user',
    'accessToken',
    'refreshToken',
    'accessToken',
  ])
  remove.mockClear()
  session.clear()
  expect(remove.mock.calls.map(([key]) => key)[0]).toBe('accessToken')
  set.mockRestore()
  remove.mockRestore()
})

test('a refresh keeps its name until its answer is stored', () => {
  signIn()
  const attempt = session.refreshAttempt()
  expect(attempt).toMatch(/^[0-9a-f]{32}$/)
  expect(session.refreshAttempt()).toBe(attempt)
  session.rotate({ accessToken: 'access-2', refreshToken: 'refresh-2' })
  expect(stored()).toEqual(['access-2', 'refresh-2', JSON.stringify(tess), null])
  expect(session.refreshAttempt()).not.toBe(attempt)
})

test('a changed profile is stored and shown while somebody is signed in, but not afterwards', () => {
  signIn()
  session.update(user('tess', { name: 'Tess T.' }))
  expect([session.user()?.name, heard]).toEqual(['Tess T.', ['tess', 'tess']])
  session.clear()
  session.update(tess)
  expect([session.user(), stored()]).toEqual([null, nothing])
})

test('a session that has ended leaves nothing but the server’s reason, until the next one begins', () => {
  signIn()
  session.refreshAttempt()
  session.clear('Suspended.')
  expect([session.user(), stored(), session.whyEnded(), heard]).toEqual([
    null,
    nothing,
    'Suspended.',
    ['tess', undefined],
  ])
  signIn()
  expect(session.whyEnded()).toBeNull()
  session.clear('Suspended.')
  session.clear()
  expect(session.whyEnded()).toBeNull()
})

const storedAs = (value: unknown) => {
  localStorage.setItem('accessToken', 'access')
  localStorage.setItem('user', typeof value === 'string' ? value : JSON.stringify(value))
}

test.each([
  ['confirmed', { emailVerifiedAt: '2026-11-26T08:00:00.000Z' }],
  ['not confirmed', { emailVerifiedAt: null }],
  ['in a time zone', { timeZone: 'Asia/Tokyo' }],
  ['not said to be either', {}],
])('a page begins with the user whom the last page left signed in, whose address is %s', (_, more) => {
  storedAs({ ...tess, ...more, balanceCents: 5 })
  session.restore()
  expect(session.user()).toStrictEqual({ ...tess, ...more })
  expect(logged).not.toHaveBeenCalled()
})

test.each([
  ['nothing', 'null'],
  ['no JSON', '{'],
  ['an unknown role', { ...tess, role: 'KING' }],
  ['no ID', { ...tess, id: undefined }],
  ['an empty address', { ...tess, email: '' }],
  ['a number for a name', { ...tess, name: 5 }],
])('a page that finds %s instead of a user signs out, and logs it to the console', (_, value) => {
  storedAs(value)
  session.restore()
  expect([session.user(), stored()]).toEqual([null, nothing])
  expect(logged).toHaveBeenCalledExactlyOnceWith('The stored session cannot be read', expect.any(Error))
})

test('a page that finds a token without a user signs out', () => {
  localStorage.setItem('accessToken', 'access')
  expect(session.ownerId()).toBeUndefined()
  session.restore()
  expect(stored()).toEqual(nothing)
})

test.each(['', 5])('a confirmation or time zone of %o is ignored', value => {
  storedAs({ ...tess, emailVerifiedAt: value, timeZone: value })
  session.restore()
  expect(session.user()).toStrictEqual(tess)
})

test('without a token nobody is signed in, whatever else is stored', () => {
  localStorage.setItem('user', JSON.stringify(tess))
  session.restore()
  expect([session.user(), session.ownerId(), logged.mock.calls]).toEqual([null, undefined, []])
})

test.each(['accessToken', 'refreshToken', 'user', null])('a sign-in in another tab takes effect here (%s)', key => {
  storedAs(tess)
  writtenElsewhere(key)
  expect([session.user(), heard]).toEqual([tess, ['tess']])
})

test('other things that another tab stores change nothing', () => {
  storedAs(tess)
  writtenElsewhere('theme')
  writtenElsewhere('refreshAttempt')
  expect([session.user(), heard]).toEqual([null, []])
})

test('a sign-in that another tab has half written waits for the rest', () => {
  signIn()
  localStorage.setItem('user', '{')
  writtenElsewhere('user')
  expect([session.user(), session.ownerId(), heard]).toEqual([tess, undefined, ['tess']])
})

test.each([
  [true, 'tom', null],
  [false, 'tess', null],
])('a page that Back brings back as it was left (%s) knows who has signed in meanwhile', (persisted, id, why) => {
  signIn()
  localStorage.setItem('user', JSON.stringify(user('tom')))
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted }))
  expect([session.user()?.id, session.whyEnded()]).toEqual([id, why])
})

test('and that nobody is signed in any more', () => {
  signIn()
  localStorage.clear()
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  expect([session.user(), session.whyEnded()]).toEqual([null, 'You were signed out in another tab.'])
})

test('a sign-out in another tab is followed, and explained to whom it ended', () => {
  writtenElsewhere('accessToken')
  expect(session.whyEnded()).toBeNull()
  signIn()
  writtenElsewhere('user')
  expect(session.whyEnded()).toBeNull()
  localStorage.clear()
  writtenElsewhere(null)
  expect([session.user(), session.whyEnded()]).toEqual([null, 'You were signed out in another tab.'])
})

test('a session that the server ended is explained in the same words in all tabs, until the next sign-in', () => {
  signIn()
  const write = vi.spyOn(Storage.prototype, 'setItem')
  session.clear('Your account is suspended.')
  expect([localStorage.length, write.mock.calls]).toEqual([0, [['whyEnded', 'Your account is suspended.']]])
  write.mockRestore()
  // From here on, this plays the other tab.
  signIn()
  dispatchEvent(new StorageEvent('storage', { key: 'whyEnded', newValue: 'Your account is suspended.' }))
  localStorage.removeItem('accessToken')
  writtenElsewhere('accessToken')
  expect(session.whyEnded()).toBe('Your account is suspended.')
  signIn()
  localStorage.removeItem('accessToken')
  writtenElsewhere('accessToken')
  expect(session.whyEnded()).toBe('You were signed out in another tab.')
})

test('a user who leaves for another document keeps seeing this one until that one comes, but is forgotten at once', () => {
  signIn()
  session.refreshAttempt()
  session.leave()
  expect([session.user(), stored()]).toEqual([tess, nothing])
  dispatchEvent(new Event('pagehide'))
  expect([session.user(), heard]).toEqual([null, ['tess', undefined]])
  // A page that comes back and signs in is not signed out when it is left again.
  vi.runAllTimers()
  signIn()
  dispatchEvent(new Event('pagehide'))
  expect(session.user()).toEqual(tess)
})

test.each(['pagehide', 'the wait'])(
  'a user who signs in on a page that was left and came back stays signed in: %s',
  ends => {
    signIn()
    session.leave()
    if (ends === 'pagehide') vi.advanceTimersByTime(5000)
    else dispatchEvent(new Event('pagehide'))
    signIn()
    if (ends === 'pagehide') dispatchEvent(new Event('pagehide'))
    else vi.advanceTimersByTime(5000)
    expect(session.user()).toEqual(tess)
  },
)

test('if no other document comes, screens are notified after 5 seconds', () => {
  signIn()
  session.leave()
  vi.advanceTimersByTime(4999)
  expect(session.user()).toEqual(tess)
  vi.advanceTimersByTime(1)
  expect([session.user(), heard]).toEqual([null, ['tess', undefined]])
})
