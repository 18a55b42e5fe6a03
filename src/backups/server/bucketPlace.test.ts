/** Large backups in a bucket are complete, with all of their parts, or absent. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseBucket } from '../../kit/server/bucketUrl.ts'
import { startBucket, type TestBucket } from '../../testing/bucket.ts'
import { bucketPlace } from './bucketPlace.ts'

let service: TestBucket
beforeAll(async () => {
  service = await startBucket()
})
afterAll(() => service.stop())

const place = () => bucketPlace(parseBucket(service.url())!)
const megabyte = 1024 * 1024

/** This many different megabytes, followed by a failure if one is given. */
async function* megabytes(count: number, failure?: Error): AsyncGenerator<Buffer> {
  for (let made = 0; made < count; made++) yield Buffer.alloc(megabyte, made)
  if (failure) throw failure
}
const hashOf = async (content: AsyncIterable<Uint8Array>) => {
  const hash = createHash('sha256')
  for await (const bytes of content) hash.update(bytes)
  return hash.digest('hex')
}

test('a file of several parts is there unchanged once it has been put', async () => {
  const bucket = await place()
  await bucket.put('bases/large', megabytes(65))
  expect(await bucket.list('bases')).toMatchObject([{ name: 'bases/large', bytes: 65 * megabyte }])
  expect(await hashOf(await bucket.get('bases/large'))).toBe(await hashOf(megabytes(65)))
})

test('a file that fails after its first part is not put, and is not there', async () => {
  const bucket = await place()
  await expect(bucket.put('broken/large', megabytes(40, new Error('The disk is gone.')))).rejects.toThrow(
    'The disk is gone.',
  )
  expect(await bucket.list('broken')).toEqual([])
})
