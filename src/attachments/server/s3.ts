/** A bucket of an S3 service. The client is loaded with the first file that is stored or fetched. */
import type { Readable } from 'node:stream'
import { DomainError } from '../../kit/errors.ts'
import { bucketClient } from '../../kit/server/bucketClient.ts'
import { parseBucket } from '../../kit/server/bucketUrl.ts'
import { type Storage, wholeOf } from './content.ts'

/** The cause goes to the log only; the caller may try again. */
const unavailable = (cause: unknown) =>
  Object.assign(
    new DomainError('UNAVAILABLE', 'The file storage cannot be reached. Try again in a moment.', {
      retryAfterSeconds: 5,
    }),
    { cause },
  )

export const bucket = (url: string): Storage => {
  const place = parseBucket(url)
  if (!place) throw new Error('STORAGE_URL is not a bucket')
  const Bucket = place.bucket
  let opened: ReturnType<typeof bucketClient> | undefined
  const call = async <T>(work: (opened: Awaited<ReturnType<typeof bucketClient>>) => Promise<T>): Promise<T> => {
    opened ??= bucketClient(place)
    try {
      return await work(await opened)
    } catch (error) {
      throw unavailable(error)
    }
  }
  return {
    put: async (name, content) => {
      // Held in memory as a whole, so that the signature covers it and a retry can send it again.
      const Body = content instanceof Uint8Array ? content : await wholeOf(content)
      await call(({ s3, client }) => client.send(new s3.PutObjectCommand({ Bucket, Key: name, Body })))
    },
    get: name =>
      call(async ({ s3, client }) => {
        const { Body } = await client.send(new s3.GetObjectCommand({ Bucket, Key: name }))
        return Body as Readable
      }),
    remove: async name => {
      await call(({ s3, client }) => client.send(new s3.DeleteObjectCommand({ Bucket, Key: name })))
    },
  }
}
