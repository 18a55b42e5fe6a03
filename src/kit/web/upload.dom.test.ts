import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubXmlHttpRequest } from '../../testing/xmlHttpRequest.ts'
import { provideCalls } from './api.ts'
import { session } from './session.ts'
import { uploadTo } from './upload.ts'

provideCalls({ attachments: { upload: ['POST', '/attachments', '', 0, 0] } })
const logged = vi.spyOn(console, 'error').mockImplementation(() => {})

let sent = stubXmlHttpRequest()
let shares: number[] = []

const signIn = (id: string) =>
  session.signIn({
    accessToken: `access-${id}`,
    refreshToken: `refresh-${id}`,
    user: { id, email: `${id}@example.com`, name: id, role: 'TESTER' },
  })

const begin = (signal = new AbortController().signal) => {
  const onProgress = (share: number) => void shares.push(share)
  return uploadTo<unknown>('attachments', 'upload', new File(['abc'], 'Tess Tester.png'), { onProgress, signal })
}

/** The second attempt is sent after the token was refreshed. */
const sentNow = (count: number) => vi.waitFor(() => expect(sent).toHaveLength(count))
const tokens = () => sent.map(({ headers }) => headers['authorization'])

beforeEach(() => {
  sent = stubXmlHttpRequest()
  shares = []
  logged.mockClear()
  signIn('tess')
  vi.stubGlobal('fetch', async () => Response.json({ accessToken: 'fresh', refreshToken: 'refresh-2' }))
})
afterEach(() => vi.unstubAllGlobals())

test('a file is sent with its owner’s token, under a name that does not identify them', async () => {
  const answer = begin()
  const [request] = sent
  expect([request!.line, request!.headers]).toEqual([
    'POST /api/v1/attachments',
    { accept: 'application/json', authorization: 'Bearer access-tess' },
  ])
  const file = request!.form!.get('file')
  expect(file instanceof File && [file.name, file.size]).toEqual(['file', 3])
  request!.answer(201, { id: 'a1' })
  expect(await answer).toEqual({ id: 'a1' })
  expect([sent.length, logged.mock.calls]).toEqual([1, []])
})

test('progress is reported, even before the size is known', () => {
  void begin()
  sent[0]!.progress(3, 12)
  sent[0]!.progress(1, 1)
  sent[0]!.progress(7, 0)
  expect(shares).toEqual([0.25, 1, 0])
})

test.each([
  [299, true],
  [300, false],
  [400, false],
  [402, false],
  [500, false],
])('the status %i is a success: %s', async (status, isAnswer) => {
  const answer = begin()
  sent[0]!.answer(status, { code: 'WRONG_STATE', message: 'No.', requestId: 'r1' })
  const end = await answer.then(
    () => 'answered',
    (error: unknown) => error,
  )
  if (isAnswer) expect(end).toBe('answered')
  else expect(end).toMatchObject({ name: 'ApiError', status, code: 'WRONG_STATE', message: 'No.' })
  expect(sent).toHaveLength(1)
  expect(logged.mock.calls).toEqual(isAnswer ? [] : [[`POST /attachments: ${status} No.`, 'r1']])
})

test('a proxy’s page instead of an answer is a failure with its status', async () => {
  const answer = begin()
  sent[0]!.answer(502, '<html>')
  await expect(answer).rejects.toMatchObject({ status: 502, worded: false, requestId: null })
  expect(logged.mock.calls).toEqual([['POST /attachments: 502 HTTP 502', '']])
})

test.each(['error', 'timeout', 'abort'] as const)('a request that ends by %s is a network error', async how => {
  const answer = begin()
  sent[0]!.end(how)
  await expect(answer).rejects.toMatchObject({ status: 0, code: 'NETWORK', message: 'Network error' })
})

test('leaving aborts the upload', async () => {
  const leaving = new AbortController()
  const answer = begin(leaving.signal)
  expect(sent[0]!.aborted).toBe(false)
  leaving.abort()
  expect(sent[0]!.aborted).toBe(true)
  await expect(answer).rejects.toMatchObject({ code: 'NETWORK' })
})

test('a refused token is refreshed, and the file sent once more', async () => {
  const answer = begin()
  sent[0]!.answer(401, {})
  await sentNow(2)
  expect(tokens()).toEqual(['Bearer access-tess', 'Bearer fresh'])
  sent[1]!.answer(201, { id: 'a1' })
  expect(await answer).toEqual({ id: 'a1' })
})

test('a second refusal is final', async () => {
  const answer = begin()
  sent[0]!.answer(401, {})
  await sentNow(2)
  sent[1]!.answer(401, { code: 'UNAUTHENTICATED' })
  await expect(answer).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  expect(sent).toHaveLength(2)
})

test('if the session cannot be refreshed, the upload fails', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ message: 'Suspended.' }, { status: 403 }))
  const answer = begin()
  sent[0]!.answer(401, { message: 'Expired' })
  await expect(answer).rejects.toMatchObject({ status: 401, message: 'Expired' })
  expect(sent).toHaveLength(1)
})

test('an upload is not repeated on behalf of somebody who signed in in another tab meanwhile', async () => {
  const answer = begin()
  const user = { id: 'tom', email: 'tom@example.com', name: 'Tom', role: 'TESTER' }
  localStorage.setItem('user', JSON.stringify(user))
  localStorage.setItem('accessToken', 'access-tom')
  sent[0]!.answer(401, {})
  await expect(answer).rejects.toMatchObject({ status: 401 })
  expect(sent).toHaveLength(1)
})

test('a signed-out user sends no token, and is refused once', async () => {
  session.clear()
  const answer = begin()
  sent[0]!.answer(401, {})
  await expect(answer).rejects.toMatchObject({ status: 401 })
  expect(tokens()).toEqual(['Bearer '])
})
