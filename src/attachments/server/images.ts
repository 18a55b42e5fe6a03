/** Images are decoded one at a time, in a process that starts with the first image and ends after it was idle for a while. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import pLimit, { type LimitFunction } from 'p-limit'
import { DomainError } from '../../kit/errors.ts'
import { flawed } from '../rules.ts'
import type { CleanImage, ImageJob, ImageResult } from './imageWorker.ts'

export type { CleanImage }

const longestMs = 30_000
const idleMs = 60_000
/** Each image waits as an open file, not in memory. */
const mostWaiting = 30

const oneAtATime = pLimit(1)
/**
 * The uploaders whose pictures are being read or wait here. Only one picture of each is in line, so that nobody fills the line
 * alone.
 */
const uploaders = new Map<string, { inTurn: LimitFunction; pictures: number }>()
let worker: ChildProcess | undefined
let idle: NodeJS.Timeout | undefined
let lastId = 0

/** Starts without the server's environment, which contains secrets, and without its arguments. */
const start = (): ChildProcess => {
  const child = fork(join(import.meta.dirname, 'imageWorker.ts'), [], {
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=128'],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.once('exit', () => {
    if (worker === child) worker = undefined
  })
  return child
}

/** Ends the process, even if it is working. */
export const stopImageWorker = (): void => {
  clearTimeout(idle)
  worker?.kill('SIGKILL')
  worker = undefined
}

const ask = (bytes: Uint8Array): Promise<ImageResult> => {
  const child = (worker ??= start())
  const job: ImageJob = { id: ++lastId, bytes }
  return new Promise(resolve => {
    const end = (result: ImageResult) => {
      clearTimeout(timer)
      child.off('message', answered).off('exit', died).off('error', died)
      resolve(result)
    }
    const answered = (result: ImageResult) => {
      if (result.id === job.id) end(result)
    }
    const died = () => end({ id: job.id, flaw: 'BROKEN_IMAGE' })
    const timer = setTimeout(() => {
      end({ id: job.id, flaw: 'TOO_LONG' })
      child.kill('SIGKILL')
      if (worker === child) worker = undefined
    }, longestMs)
    child.on('message', answered).once('exit', died).once('error', died)
    child.send(job, error => {
      if (error) died()
    })
  })
}

/**
 * Returns the image as it is stored, or throws a refusal. `read` is called when it is the image's turn; the uploader's other images
 * wait for it.
 */
export const cleanImage = async (uploaderId: string, read: () => Promise<Uint8Array>): Promise<CleanImage> => {
  const uploader = uploaders.get(uploaderId) ?? { inTurn: pLimit(1), pictures: 0 }
  uploaders.set(uploaderId, uploader)
  uploader.pictures++
  try {
    return await uploader.inTurn(() => inLine(read))
  } finally {
    uploader.pictures--
    if (uploader.pictures === 0) uploaders.delete(uploaderId)
  }
}

const inLine = async (read: () => Promise<Uint8Array>): Promise<CleanImage> => {
  if (oneAtATime.pendingCount >= mostWaiting) {
    throw new DomainError('UNAVAILABLE', 'Many images are being processed. Try again in a moment.', {
      retryAfterSeconds: 10,
    })
  }
  const result = await oneAtATime(async () => {
    clearTimeout(idle)
    try {
      return await ask(await read())
    } finally {
      idle = setTimeout(stopImageWorker, idleMs).unref()
    }
  })
  if ('flaw' in result) throw flawed(result.flaw)
  return result.image
}
