import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { provideCalls } from '../../kit/web/api.ts'
import { session } from '../../kit/web/session.ts'
import { stubIndexedDb } from '../../testing/indexedDb.ts'
import { stubXmlHttpRequest } from '../../testing/xmlHttpRequest.ts'
import type { Attachment } from '../contract.ts'
import { dropFilesOf, keepFile } from './keptFiles.ts'
import { useUploads } from './useUploads.ts'

provideCalls({
  attachments: {
    upload: ['POST', '/attachments', '', 0, 0],
    remove: ['DELETE', '/attachments/:id', 'nothing', 0, 0],
  },
})

const now = Date.parse('2026-11-26T08:00:00.000Z')
const megabyte = 1_048_576

let database = stubIndexedDb()
let sent = stubXmlHttpRequest()
/** Requests other than the files. */
let calls: string[] = []
let answerCall: (path: string) => Response

const attachment = (id: string, type: Attachment['type'] = 'image/png'): Attachment => ({
  id,
  type,
  bytes: 3,
  width: 1,
  height: 1,
  createdAt: '2026-11-26T08:00:00.000Z',
})

const sized = (name: string, type: string, size: number) =>
  Object.defineProperty(new File(['abc'], name, { type }), 'size', { value: size })
const png = (name: string) => sized(name, 'image/png', 3)
const [a, b, c] = [png('a.png'), png('b.png'), png('c.png')]

const signIn = (id: string) =>
  session.signIn({
    accessToken: `access-${id}`,
    refreshToken: `refresh-${id}`,
    user: { id, email: `${id}@example.com`, name: id, role: 'TESTER' },
  })

/** Waits until everything that follows from it has happened. */
const after = (work: () => void = () => {}) =>
  act(async () => {
    work()
    await database.idle()
  })

const begun = async (before?: readonly Attachment[]) => {
  const hook = renderHook((draft: string) => useUploads(draft, before), { initialProps: 'proof:p1' })
  await after()
  const uploads = () => hook.result.current
  return {
    ...hook,
    uploads,
    names: () => uploads().items.map(({ name }) => name),
    problems: () => uploads().items.map(({ problem }) => problem),
    pick: (...files: File[]) => after(() => uploads().add(files)),
    remove: (index: number) => after(() => uploads().remove(uploads().items[index]!.key)),
    retry: (index: number) => after(() => uploads().retry(uploads().items[index]!.key)),
  }
}

const answer = (status: number, body: unknown) => after(() => sent.at(-1)!.answer(status, body))
const arrive = (id: string) => answer(201, attachment(id))
const isOnline = (online: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  database = stubIndexedDb()
  sent = stubXmlHttpRequest()
  calls = []
  answerCall = () => new Response(null, { status: 204 })
  vi.stubGlobal('fetch', async (path: string, { method }: { method: string }) => {
    calls.push(`${method} ${path}`)
    return answerCall(path)
  })
  isOnline(true)
  signIn('tess')
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a picked file is kept for its person and draft, is sent with its progress, and stays kept once it has arrived', async () => {
  const { uploads, pick } = await begun()
  expect([uploads().items, uploads().ids, uploads().pending]).toEqual([[], [], false])
  await pick(a)
  const { key } = uploads().items[0]!
  const item = {
    key,
    name: 'a.png',
    file: a,
    addedAt: now,
    attachment: null,
    sentAt: null,
    progress: null,
    problem: null,
    refused: false,
  }
  const row = { key, place: 'tess:proof:p1', addedAt: now, name: 'a.png', file: a, attachment: null }
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect([uploads().items, uploads().ids, uploads().pending]).toEqual([[item], [], true])
  expect(database.rows()).toEqual([row])
  await after(() => sent[0]!.progress(1, 2))
  expect(uploads().items).toEqual([{ ...item, progress: 0.5 }])
  await arrive('a1')
  expect([uploads().items, uploads().ids, uploads().pending]).toEqual([
    [{ ...item, attachment: attachment('a1'), sentAt: now }],
    ['a1'],
    false,
  ])
  expect(database.rows()).toEqual([{ ...row, attachment: attachment('a1'), sentAt: now }])
  expect([sent.length, calls]).toEqual([1, []])
})

test('a file whose draft was removed from this device while it was being sent is not kept again', async () => {
  const { pick } = await begun()
  await pick(a)
  await dropFilesOf('tess')
  await arrive('a1')
  await database.idle()
  expect(database.rows()).toEqual([])
})

test('files are sent one after the other, in the order in which they were picked', async () => {
  const { uploads, names, pick } = await begun()
  await pick(a, b)
  await pick(c)
  expect(names()).toEqual(['a.png', 'b.png', 'c.png'])
  expect(database.rows().map(({ addedAt }) => addedAt)).toEqual([now, now + 1, now])
  for (const [index, id] of ['a1', 'b1', 'c1'].entries()) {
    expect([sent.length, uploads().pending]).toEqual([index + 1, true])
    await after(() => sent[index]!.progress(1, 2))
    expect(uploads().items.map(({ progress }) => progress)).toEqual(
      [null, null, null].map((none, at) => (at === index ? 0.5 : none)),
    )
    await arrive(id)
  }
  expect([sent.length, uploads().ids, uploads().pending]).toEqual([3, ['a1', 'b1', 'c1'], false])
  expect(database.rows().map(row => [row['name'], row['attachment']])).toEqual([
    ['a.png', attachment('a1')],
    ['b.png', attachment('b1')],
    ['c.png', attachment('c1')],
  ])
})

test('the same file picked twice is sent twice', async () => {
  const { uploads, pick } = await begun()
  await pick(a, a)
  await arrive('a1')
  await arrive('a2')
  expect(uploads().ids).toEqual(['a1', 'a2'])
})

test('files that were attached before are shown and count as arrived', async () => {
  const { uploads } = await begun([attachment('p', 'image/webp'), attachment('v', 'video/mp4')])
  const shown = { file: null, addedAt: null, sentAt: null, progress: null, problem: null, refused: false }
  expect(uploads().items).toEqual([
    { ...shown, key: 'p', name: 'Picture', attachment: attachment('p', 'image/webp') },
    { ...shown, key: 'v', name: 'Video', attachment: attachment('v', 'video/mp4') },
  ])
  expect([uploads().ids, uploads().pending, sent.length]).toEqual([['p', 'v'], false, 0])
})

test.each([
  ['image/png', 0, 'This file is empty.'],
  ['image/png', 1, null],
  ['image/png', 10 * megabyte, null],
  ['image/png', 10 * megabyte + 1, 'This image is too large: at most 10 MB.'],
  ['video/mp4', 10 * megabyte + 1, null],
  ['video/mp4', 50 * megabyte, null],
  ['video/mp4', 50 * megabyte + 1, 'This video is too large: at most 50 MB.'],
])('a file of type %s with %i bytes is checked before it is sent: %s', async (type, size, problem) => {
  const { uploads, pick } = await begun()
  await pick(sized('x', type, size), b)
  expect(uploads().items[0]).toMatchObject({ problem, refused: problem !== null, attachment: null })
  // A refused file is skipped.
  await arrive('first')
  expect(uploads().ids).toEqual(['first'])
  expect(uploads().items.map(item => item.attachment !== null)).toEqual([problem === null, problem !== null])
})

test('after a reload, files that have arrived are shown and the others are sent', async () => {
  const first = await begun()
  await first.pick(a)
  await arrive('a1')
  vi.setSystemTime(now + 1000)
  await first.pick(b)
  first.unmount()
  expect(sent.map(({ aborted }) => aborted)).toEqual([false, true])
  const next = await begun([attachment('before')])
  expect(next.names()).toEqual(['Picture', 'a.png', 'b.png'])
  expect(next.uploads().items.slice(1)).toEqual([
    { ...first.uploads().items[0], attachment: attachment('a1'), sentAt: now },
    first.uploads().items[1],
  ])
  expect(sent).toHaveLength(3)
  await arrive('b1')
  expect(next.uploads().ids).toEqual(['before', 'a1', 'b1'])
  expect(database.rows()).toHaveLength(2)
})

test('after a reload, files are in the order in which they were picked, not in which they arrived', async () => {
  const first = await begun()
  await first.pick(a, b)
  vi.setSystemTime(now + 5000)
  await arrive('a1')
  first.unmount()
  expect((await begun()).names()).toEqual(['a.png', 'b.png'])
})

test('a kept file that is too large is still refused after a reload', async () => {
  const first = await begun()
  await first.pick(sized('empty.png', 'image/png', 0))
  first.unmount()
  const next = await begun()
  expect(next.uploads().items).toMatchObject([{ problem: 'This file is empty.', refused: true }])
  expect(sent).toEqual([])
})

const hour = 3_600_000

test('after a reload, files that the server may have deleted are sent again', async () => {
  const first = await begun()
  await first.pick(a)
  vi.setSystemTime(now + hour)
  await arrive('a1')
  first.unmount()
  vi.setSystemTime(now + 24 * hour - 1)
  const early = await begun()
  expect([early.uploads().ids, sent.length]).toEqual([['a1'], 1])
  early.unmount()
  vi.setSystemTime(now + 24 * hour)
  const late = await begun()
  expect([late.uploads().ids, late.uploads().pending, sent.length]).toEqual([[], true, 2])
  await arrive('a2')
  late.unmount()
  // The new upload counts like any other.
  const again = await begun()
  expect([again.uploads().ids, sent.length]).toEqual([['a2'], 2])
})

test('if the arrival of a file was not recorded, the time of picking counts', async () => {
  await keepFile({
    key: 'k',
    place: 'tess:proof:p1',
    addedAt: now,
    name: 'a.png',
    file: a,
    attachment: attachment('a1'),
  })
  vi.setSystemTime(now + 23 * hour)
  const { uploads } = await begun()
  expect([uploads().ids, sent.length]).toEqual([[], 1])
})

test('a page that stays open sends such a file again in time, but not files attached before', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now })
  const { uploads, pick } = await begun([attachment('before')])
  await pick(a)
  await arrive('a1')
  await after(() => vi.advanceTimersByTime(23 * hour - 1))
  expect([uploads().ids, sent.length]).toEqual([['before', 'a1'], 1])
  await after(() => vi.advanceTimersByTime(60_000))
  expect([uploads().ids, uploads().pending, sent.length]).toEqual([['before'], true, 2])
  await arrive('a2')
  expect(uploads().ids).toEqual(['before', 'a2'])
})

test('another person on this device, or another draft, does not see the files', async () => {
  const first = await begun()
  await first.pick(a)
  first.unmount()
  const other = renderHook(() => useUploads('proof:p2'))
  signIn('tom')
  const next = await begun()
  expect([other.result.current.items, next.names()]).toEqual([[], []])
})

test('a screen that switches to another draft shows that draft’s files, each once', async () => {
  const first = await begun()
  await first.pick(a)
  first.unmount()
  const { names, rerender } = await begun()
  rerender('proof:p2')
  await after()
  rerender('proof:p1')
  await after()
  expect(names()).toEqual(['a.png'])
})

test('files that load too late for a draft that was left are not shown', async () => {
  const first = await begun()
  await first.pick(a)
  first.unmount()
  const hook = renderHook((draft: string) => useUploads(draft), { initialProps: 'proof:p1' })
  hook.rerender('proof:p2')
  await after()
  expect(hook.result.current.items).toEqual([])
})

const json = (code: string, message = 'No.') => ({ code, message })
test.each([
  [413, json('PAYLOAD_TOO_LARGE'), 'No.', true],
  [409, json('LIMIT_REACHED'), 'No.', false],
  [429, json('TOO_MANY_REQUESTS'), 'No.', false],
  [401, json('UNAUTHENTICATED'), 'No.', false],
  [408, json('REQUEST_TIMEOUT'), 'No.', false],
  [400, json('UNKNOWN', ''), 'Upload failed.', true],
  [507, json('INSUFFICIENT_STORAGE', 'Full.'), 'Full.', false],
])('an answer %i %o says why, and the file can be sent again unless that would be pointless', async (...row) => {
  const [status, body, problem, refused] = row
  // After the session has ended, it is refused again.
  answerCall = () => Response.json({ message: 'Ended.' }, { status: 401 })
  const { uploads, pick } = await begun()
  await pick(a, b)
  await after(() => sent[0]!.progress(1, 2))
  await answer(status, body)
  expect(uploads().items).toMatchObject([{ problem, refused, progress: null, attachment: null }, { problem: null }])
  // The other files continue.
  expect([sent.length, uploads().pending]).toEqual([2, true])
})

test.each([
  [true, 'Network error'],
  [false, 'No connection. We will upload it when you are back online.'],
])('a lost request can be sent again (online: %s)', async (online, problem) => {
  const { uploads, pick } = await begun()
  await pick(a)
  isOnline(online)
  await after(() => sent[0]!.end('error'))
  expect(uploads().items).toMatchObject([{ name: 'a.png', file: a, problem, refused: false, progress: null }])
})

test('a refusal is shown as it is, even if the connection is gone by then', async () => {
  const { problems, pick } = await begun()
  await pick(a)
  isOnline(false)
  await answer(413, json('PAYLOAD_TOO_LARGE'))
  expect(problems()).toEqual(['No.'])
})

test('when the network is back, everything that was not refused is sent again', async () => {
  const { uploads, names, problems, pick } = await begun()
  await pick(a, b, c)
  await answer(413, json('PAYLOAD_TOO_LARGE'))
  isOnline(false)
  for (let lost = 0; lost < 2; lost += 1) await after(() => sent.at(-1)!.end('error'))
  expect(sent).toHaveLength(3)
  isOnline(true)
  await after(() => dispatchEvent(new Event('online')))
  expect([names(), problems(), sent.length]).toEqual([['a.png', 'b.png', 'c.png'], ['No.', null, null], 4])
  await arrive('b1')
  await arrive('c1')
  expect([uploads().ids, sent.length]).toEqual([['b1', 'c1'], 5])
})

test('a retry sends one file again, and the others keep their problem', async () => {
  const { uploads, problems, pick, retry } = await begun()
  await pick(a, b)
  await answer(503, json('UNAVAILABLE', 'Busy.'))
  await answer(503, json('UNAVAILABLE', 'Busy.'))
  await retry(1)
  expect([problems(), sent.length]).toEqual([['Busy.', null], 3])
  await arrive('b1')
  expect([uploads().ids, problems()]).toEqual([['b1'], ['Busy.', null]])
})

test('a file that gives way to an earlier one has not failed, and is sent after it', async () => {
  const { uploads, problems, pick, retry } = await begun()
  await pick(a, b)
  await answer(503, json('UNAVAILABLE', 'Busy.'))
  await retry(0)
  expect([sent.map(({ aborted }) => aborted), problems()]).toEqual([
    [false, true, false],
    [null, null],
  ])
  await arrive('a1')
  await arrive('b1')
  expect(uploads().ids).toEqual(['a1', 'b1'])
})

test('a file that is removed while it is sent is neither sent on nor kept, and the next one is sent', async () => {
  const { uploads, names, pick, remove } = await begun()
  await pick(a, b)
  await remove(0)
  expect([names(), sent[0]!.aborted, sent.length]).toEqual([['b.png'], true, 2])
  expect(database.rows()).toMatchObject([{ name: 'b.png' }])
  await arrive('b1')
  expect([uploads().ids, calls]).toEqual([['b1'], []])
})

test.each([204, 409])('removing an arrived file deletes it on the server, which answers %i', async status => {
  answerCall = () => (status === 204 ? new Response(null, { status }) : Response.json(json('WRONG_STATE'), { status }))
  const { uploads, pick, remove } = await begun()
  await pick(a, b)
  await arrive('a1')
  await arrive('b1')
  await remove(1)
  expect([calls, uploads().ids]).toEqual([['DELETE /api/v1/attachments/b1'], ['a1']])
  expect(database.rows()).toMatchObject([{ name: 'a.png' }])
})

test('removing a file that was attached before only leaves it out', async () => {
  const { uploads, remove } = await begun([attachment('p'), attachment('q')])
  await remove(0)
  expect([uploads().ids, calls]).toEqual([['q'], []])
})

test('a form that stays open after sending keeps the files that were not sent with it, on this device too', async () => {
  const { uploads, pick, names, rerender } = await begun()
  await pick(a, b)
  await arrive('a')
  await after(() => uploads().release(['a']))
  expect([names(), uploads().ids, uploads().pending]).toEqual([['b.png'], [], true])
  await arrive('b')
  expect(uploads().ids).toEqual(['b'])
  rerender('proof:p2')
  await after()
  rerender('proof:p1')
  await after()
  expect(names()).toEqual(['b.png'])
})
