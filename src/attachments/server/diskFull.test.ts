/** If the disk is full, or nearly full: status 507 with a sentence, and neither a row nor a file. */
import { open, readdir } from 'node:fs/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { TestApp } from '../../testing/app.ts'
import { film, picture } from '../../testing/pictures.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { upload } from '../../testing/uploads.ts'

const left = async (t: TestApp) => {
  const entries = await readdir(t.dataDir, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile() && /attachments|incoming/.test(entry.parentPath))
  return { files: files.map(({ name }) => name), rows: await t.look('select id from attachments') }
}

const noRoom = [
  507,
  'INSUFFICIENT_STORAGE',
  'There is no space for files at the moment. Nothing was stored. Try again later.',
]

describe('with less left than MIN_FREE_DISK_MB', () => {
  const t = testApp({ MIN_FREE_DISK_MB: '999999999' })
  const tester = signedUp(t, 'TESTER')

  test.each([
    ['an image', () => picture()],
    ['a video', () => Promise.resolve(film())],
  ])('%s is refused, and nothing is kept', async (_what, bytes) => {
    const { status, body } = await upload(t, tester, await bytes())
    expect([status, body.code, body.message]).toEqual(noRoom)
    expect(await left(t)).toEqual({ files: [], rows: [] })
  })
})

describe('a disk that is full', () => {
  const t = testApp()
  const tester = signedUp(t, 'TESTER')
  afterEach(() => vi.restoreAllMocks())

  /** From the nth call on, this method of open files fails because the device is full. */
  const fullFrom = async (method: 'writeFile' | 'write' | 'sync', nth: number) => {
    const handle = await open('/dev/null')
    const files = Object.getPrototypeOf(handle) as typeof handle
    await handle.close()
    const works = files[method] as (...sent: unknown[]) => Promise<unknown>
    let calls = 0
    return vi.spyOn(files, method).mockImplementation(async function (this: unknown, ...sent: unknown[]) {
      if (++calls < nth) return (await works.apply(this, sent)) as never
      const full = await open('/dev/full', 'w')
      try {
        return (await works.call(full, method === 'sync' ? undefined : 'x')) as never
      } finally {
        await full.close()
      }
    })
  }

  test.each([
    ['while the file arrives', 'writeFile', 1, () => picture()],
    ['while the image is stored', 'writeFile', 2, () => picture()],
    ['while its preview is stored', 'writeFile', 3, () => picture()],
    ['while a video is cleaned', 'write', 1, () => Promise.resolve(film({ extra: [Buffer.from('\0\0\0\u0008udta')] }))],
    ['while a video is stored', 'writeFile', 2, () => Promise.resolve(film())],
  ] as const)('%s: nothing is kept, and the next upload succeeds', async (_when, method, nth, bytes) => {
    const full = await fullFrom(method, nth)
    const { status, body } = await upload(t, tester, await bytes())
    expect([status, body.code, body.message]).toEqual(noRoom)
    full.mockRestore()
    expect(await left(t)).toEqual({ files: [], rows: [] })
    const again = await upload(t, tester, await bytes())
    expect(again.status).toBe(201)
    expect((await tester.call('DELETE', `/attachments/${again.body.id}`)).status).toBe(204)
  })
})
