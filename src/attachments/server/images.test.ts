/** A decoder that crashes or hangs costs one image, and nobody waits for it longer than 30 seconds. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { picture } from '../../testing/pictures.ts'
import { cleanImage, stopImageWorker } from './images.ts'

afterEach(() => {
  vi.useRealTimers()
})
afterAll(stopImageWorker)

const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The child processes that decode images, according to the operating system. */
const workers = (): number[] =>
  readdirSync(`/proc/${process.pid}/task`)
    .flatMap(task => textOf(`/proc/${process.pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number))
    .filter(pid => textOf(`/proc/${pid}/cmdline`).includes('imageWorker.ts'))

// Another test file in this process may have left a worker that is about to end.
beforeAll(async () => {
  stopImageWorker()
  await vi.waitFor(() => expect(workers()).toEqual([]))
})

const clean = async () => cleanImage('ann', async () => picture())
const turn = () => new Promise(resolve => setImmediate(resolve))

/** A worker that has worked before, and is now frozen. */
const stopped = async () => {
  await clean()
  const [pid] = workers()
  process.kill(pid!, 'SIGSTOP')
  return pid!
}

test('if the process dies over an image, the upload fails with a sentence, and the next image gets a new process', async () => {
  const pid = await stopped()
  // Drawn beforehand: the image has to be with the process when it dies.
  const image = await picture()
  const answer = cleanImage('ann', async () => image).catch((error: unknown) => error)
  await turn()
  process.kill(pid, 'SIGKILL')
  expect(await answer).toMatchObject({
    code: 'INVALID_INPUT',
    message: 'This image is damaged and cannot be read.',
  })
  expect(await clean()).toMatchObject({ width: 40, height: 60 })
  expect(workers()).toEqual([expect.not.toSatisfy((now: number) => now === pid)])
})

test('a process that hangs is killed after 30 seconds with a sentence, and the images behind it are served', async () => {
  const pid = await stopped()
  const image = await picture()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let refusal: unknown
  const hanging = cleanImage('ann', async () => image).catch((error: unknown) => {
    refusal = error
  })
  const behind = cleanImage('bob', async () => image)
  while (vi.getTimerCount() === 0) await turn()
  vi.advanceTimersByTime(29_999)
  await turn()
  expect(refusal).toBeUndefined()
  vi.advanceTimersByTime(1)
  await hanging
  expect(refusal).toMatchObject({
    code: 'INVALID_INPUT',
    message: 'This image takes too long to process. Upload a smaller one.',
  })
  expect(await behind).toMatchObject({ width: 40, height: 60 })
  expect(workers()).not.toContain(pid)
})

test('a user who sends many pictures has only one in line, so the next user comes right after it', async () => {
  const image = await picture()
  const order: string[] = []
  const send = (uploader: string, name: string) =>
    cleanImage(uploader, async () => {
      order.push(name)
      return image
    })
  const sent = ['ann-1', 'ann-2', 'ann-3', 'ann-4'].map(name => send('ann', name))
  await Promise.all([...sent, send('bob', 'bob-1')])
  expect(order.slice(0, 2)).toEqual(['ann-1', 'bob-1'])
  expect(order).toHaveLength(5)
})
