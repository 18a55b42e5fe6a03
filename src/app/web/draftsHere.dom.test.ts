import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepFile } from '../../attachments/web/keptFiles.ts'
import { bugDraft, commentDraft, lastRepository, lastVersion } from '../../bugs/web/drafts.ts'
import { keepDraft } from '../../campaigns/web/campaignDraft.ts'
import { blankValues } from '../../campaigns/web/campaignValues.ts'
import { saveDraft as saveVersion } from '../../changes/web/draft.ts'
import { adoptedKey, draftKey } from '../../kit/web/drafts.ts'
import { session } from '../../kit/web/session.ts'
import { keepStored } from '../../kit/web/stored.ts'
import { readDraft, saveDraft as saveProof } from '../../participations/web/proofDraft.ts'
import { stubIndexedDb } from '../../testing/indexedDb.ts'
import { refuseLocalStorage } from '../../testing/localStorage.ts'
import { removeOf, unsentOf } from './draftsHere.ts'

let database = stubIndexedDb()

const signIn = (id: string) =>
  session.signIn({
    accessToken: 'a',
    refreshToken: 'r',
    user: { id, email: `${id}@example.com`, name: id, role: 'TESTER' },
  })

const proof = { text: 'All screens', links: [], attachmentIds: [], feedback: { answers: {} } }
const bug = { title: 'Crash', severity: '', steps: '', expected: '', actual: '', appVersion: '' }

const pick = (place: string, key = place) =>
  keepFile({ key, place, addedAt: 1, name: 'a.png', file: new Blob(['a']), attachment: null })

beforeEach(() => {
  database = stubIndexedDb()
  localStorage.clear()
  signIn('tess')
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('every form’s unsent text is counted under its user, and what other users wrote is not', async () => {
  expect(await unsentOf('tess')).toBeNull()
  saveProof('p1', proof)
  keepStored(draftKey('appeal', 'p2', 'tess'), { reason: 'Look again' })
  bugDraft('p1').save(bug)
  commentDraft('b1').save({ text: 'Same here' })
  commentDraft('b2').save({ text: 'And here' })
  saveVersion('c1', { version: '1.3', changes: [{ text: '', bugIds: [] }] })
  keepDraft('tess', { ...blankValues, title: 'Half a campaign' })
  expect(await unsentOf('tess')).toEqual({
    count: 7,
    what: '1 proof, 1 appeal, 1 bug report, 2 comments, 1 version, and 1 campaign',
    files: 0,
  })
  expect(await unsentOf('tom')).toBeNull()
})

test('a text and its files are one draft, and files alone are one too', async () => {
  saveProof('p1', proof)
  await pick('tess:proof:p1', 'first')
  await pick('tess:proof:p1', 'second')
  await pick('tess:check-in:p3:2026-11-26')
  await pick('tom:proof:p1')
  expect(await unsentOf('tess')).toEqual({ count: 2, what: '1 proof and 1 check-in', files: 3 })
  expect(await unsentOf('tom')).toEqual({ count: 1, what: '1 proof', files: 1 })
})

test('forms that were emptied again, and what only saves typing, are no drafts', async () => {
  saveProof('p1', { ...proof, text: ' ', feedback: { answers: { q1: '', q2: [] } } })
  bugDraft('p1').save({ ...bug, title: '' })
  saveVersion('c1', { version: '', changes: [{ text: '', bugIds: [] }] })
  lastVersion('p1').save({ appVersion: '1.2' })
  lastRepository().save({ repository: 'owner/name' })
  expect(await unsentOf('tess')).toBeNull()
})

test('a draft that cannot be read is counted, since nobody can say that it is empty', async () => {
  localStorage.setItem(draftKey('proofDraft', 'p1', 'tess'), '{')
  expect(await unsentOf('tess')).toMatchObject({ count: 1 })
})

test('a draft that another tab removes meanwhile is not counted', async () => {
  vi.stubGlobal('localStorage', { [draftKey('proofDraft', 'p1', 'tess')]: '', getItem: () => null })
  expect(await unsentOf('tess')).toBeNull()
})

test('removing leaves nothing of this user, and everything of others', async () => {
  saveProof('p1', proof)
  await pick('tess:proof:p1')
  await pick('tom:proof:p1')
  signIn('tom')
  saveProof('p1', proof)
  await removeOf('tess')
  expect([await unsentOf('tess'), await unsentOf('tom')]).toMatchObject([null, { count: 1, files: 1 }])
  expect(readDraft('p1', {})).toMatchObject({ text: 'All screens' })
})

test('drafts that the browser does not remove are not said to be gone', async () => {
  vi.stubGlobal('localStorage', {
    [draftKey('proofDraft', 'p1', 'tess')]: '',
    getItem: () => '{"text":"All screens"}',
    removeItem: () => {
      throw new Error('Read only')
    },
  })
  await expect(removeOf('tess')).rejects.toThrow('did not remove the drafts')
})

test('without storage of any kind there are no drafts', async () => {
  database.faults.add('open')
  refuseLocalStorage()
  expect(await unsentOf('tess')).toBeNull()
})

test('a draft from before drafts named their user belongs to whoever can open its form', () => {
  localStorage.setItem('proofDraft:p1', JSON.stringify(proof))
  expect(readDraft('p1', {})).toEqual(proof)
  expect(Object.keys(localStorage).filter(key => key.startsWith('proofDraft'))).toEqual(['proofDraft:p1:tess'])
  // What was written since then counts.
  localStorage.setItem('proofDraft:p1', JSON.stringify({ ...proof, text: 'Older' }))
  expect(readDraft('p1', {})).toEqual(proof)
  refuseLocalStorage()
  expect(adoptedKey('appeal', 'p1', 'tess')).toBe('appeal:p1:tess')
})
