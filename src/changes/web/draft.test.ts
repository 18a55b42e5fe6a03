import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'

vi.stubGlobal('addEventListener', () => undefined)
let storage = stubLocalStorage()
const { session } = await import('../../kit/web/session.ts')
const { dropDraft, readDraft, saveDraft, withoutGone } = await import('./draft.ts')

const signIn = (id: string) =>
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id, email: `${id}@example.com`, name: id, role: 'DEVELOPER' },
  })

beforeEach(() => {
  storage = stubLocalStorage()
  signIn('ann')
})
afterAll(() => {
  session.clear()
  vi.unstubAllGlobals()
})

/** A single empty row to write in. */
const empty = { version: '', changes: [{ text: '', bugIds: [] }] }

const change = { text: 'Faster', bugIds: ['b1', 'b2'], feedback: [{ testId: 't1', questionId: 'q1' }] }
const written = { version: '1.2', changes: [change, { text: '', bugIds: [] }] }

test('an unpublished version is found again only by its author and only in its campaign', () => {
  saveDraft('c1', written)
  expect(readDraft('c1')).toEqual(written)
  expect(readDraft('c2')).toEqual(empty)
  signIn('bob')
  expect(readDraft('c1')).toEqual(empty)
})

test('once a version is published, the form starts empty', () => {
  saveDraft('c1', written)
  dropDraft('c1')
  expect(readDraft('c1')).toEqual(empty)
})

test.each([
  ['no object', null],
  ['without a version', { changes: written.changes }],
  ['with a version that is no text', { ...written, version: 2 }],
  ['without changes', { version: '1.2' }],
  ['with no row to write in', { ...written, changes: [] }],
  ['with one change that is nothing', { ...written, changes: [change, null] }],
  ['with a change without a text', { ...written, changes: [{ ...change, text: undefined }] }],
  ['with a change without bugs', { ...written, changes: [{ ...change, bugIds: undefined }] }],
  ['with a bug that is no id', { ...written, changes: [{ ...change, bugIds: ['b1', 2] }] }],
  ['with feedback that is no list', { ...written, changes: [{ ...change, feedback: {} }] }],
  ['with feedback on nothing', { ...written, changes: [{ ...change, feedback: [...change.feedback, null] }] }],
  ['with feedback of no test', { ...written, changes: [{ ...change, feedback: [{ questionId: 'q1' }] }] }],
  ['with feedback on no question', { ...written, changes: [{ ...change, feedback: [{ testId: 't1' }] }] }],
])('a stored draft (%s) is not put into the form', (_, stored) => {
  saveDraft('c1', written)
  const [name] = Object.keys(storage).filter(key => key.includes('c1'))
  storage[name!] = JSON.stringify(stored)
  expect(readDraft('c1')).toEqual(empty)
  storage[name!] = '{"version":'
  expect(readDraft('c1')).toEqual(empty)
})

test('choices that can no longer be answered are left out once that is known', () => {
  const other = { text: 'Also', bugIds: ['b2'] }
  const left = (...[bugs, feedback]: [{ id: string }[]?, { testId: string; questionId: string }[]?]) =>
    withoutGone([change, other], bugs, feedback)
  expect(left()).toEqual([change, other])
  expect(left([{ id: 'b1' }])).toEqual([
    { ...change, bugIds: ['b1'] },
    { ...other, bugIds: [] },
  ])
  expect(left(undefined, change.feedback)).toEqual([change, other])
  expect(left(undefined, [{ testId: 't1', questionId: 'q2' }])).toEqual([{ ...change, feedback: [] }, other])
})
