import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'

vi.stubGlobal('addEventListener', () => undefined)
stubLocalStorage()
const { session } = await import('../../kit/web/session.ts')
const { bugDraft, commentDraft, lastRepository, lastVersion } = await import('./drafts.ts')

const signIn = (id: string) =>
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id, email: `${id}@example.com`, name: id, role: 'TESTER' },
  })

beforeEach(() => {
  stubLocalStorage()
  signIn('ann')
})
afterAll(() => {
  session.clear()
  vi.unstubAllGlobals()
})

const bug = {
  title: 'Crash',
  severity: 'HIGH',
  steps: 'Open it',
  expected: 'A list',
  actual: 'Nothing',
  appVersion: '2',
}

test.each([
  ['a bug', bugDraft, bug],
  ['a comment', commentDraft, { text: 'Same here' }],
  ['the app’s version', lastVersion, { appVersion: '1.2' }],
])('a draft of %s is found again where it was written, until it is sent', (_, draftOf, written) => {
  const draft = draftOf('x') as ReturnType<typeof bugDraft>
  expect(draft.read()).toBeNull()
  draft.save(written as typeof bug)
  expect(draftOf('x').read()).toEqual(written)
  expect(draftOf('y').read()).toBeNull()
  draft.drop()
  expect(draftOf('x').read()).toBeNull()
})

test('drafts of several kinds do not overwrite each other', () => {
  bugDraft('x').save(bug)
  commentDraft('x').save({ text: 'Same here' })
  lastVersion('x').save({ appVersion: '1.2' })
  lastRepository().save({ repository: 'ann/notes' })
  expect(bugDraft('x').read()).toEqual(bug)
  expect(commentDraft('x').read()).toEqual({ text: 'Same here' })
  expect(lastVersion('x').read()).toEqual({ appVersion: '1.2' })
  expect(lastRepository().read()).toEqual({ repository: 'ann/notes' })
})

test('the next user of the device does not find a draft, and its author does', () => {
  bugDraft('x').save(bug)
  signIn('bob')
  expect(bugDraft('x').read()).toBeNull()
  bugDraft('x').drop()
  signIn('ann')
  expect(bugDraft('x').read()).toEqual(bug)
})
