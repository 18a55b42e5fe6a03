/** Backups in a bucket. Large files are uploaded in parts, so that at most one part is in memory. */
import { bucketClient } from '../../kit/server/bucketClient.ts'
import type { Bucket } from '../../kit/server/bucketUrl.ts'
import type { Listed, Place } from './places.ts'

/** A bucket accepts 10,000 parts: 320 GB. */
const partBytes = 32 * 1024 * 1024

async function* inParts(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    held.push(chunk)
    bytes += chunk.length
    if (bytes < partBytes) continue
    yield Buffer.concat(held)
    held = []
    bytes = 0
  }
  yield Buffer.concat(held)
}

export const bucketPlace = async (place: Bucket): Promise<Place> => {
  const { s3, client } = await bucketClient(place)
  const { bucket: Bucket } = place
  const putInParts = async (Key: string, first: Buffer, rest: AsyncGenerator<Buffer>) => {
    const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand({ Bucket, Key }))
    const upload = { Bucket, Key, UploadId }
    try {
      const Parts: { ETag: string | undefined; PartNumber: number }[] = []
      const send = async (Body: Buffer) => {
        const PartNumber = Parts.length + 1
        const { ETag } = await client.send(new s3.UploadPartCommand({ ...upload, PartNumber, Body }))
        Parts.push({ ETag, PartNumber })
      }
      await send(first)
      for await (const part of rest) if (part.length > 0) await send(part)
      await client.send(new s3.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
    } catch (error) {
      await client.send(new s3.AbortMultipartUploadCommand(upload)).catch(() => undefined)
      throw error
    }
  }
  return {
    says: `${place.endpoint}/${Bucket}`,
    put: async (Key, content) => {
      const parts = inParts(content)
      const { value: first } = (await parts.next()) as { value: Buffer }
      if (first.length >= partBytes) await putInParts(Key, first, parts)
      else await client.send(new s3.PutObjectCommand({ Bucket, Key, Body: first }))
    },
    get: async Key => {
      const { Body } = await client.send(new s3.GetObjectCommand({ Bucket, Key }))
      return Body as unknown as AsyncIterable<Uint8Array>
    },
    list: async below => {
      const listed: Listed[] = []
      for await (const page of s3.paginateListObjectsV2({ client }, { Bucket, Prefix: `${below}/` })) {
        for (const { Key, Size, LastModified } of page.Contents ?? [])
          if (Key) listed.push({ name: Key, bytes: Size ?? 0, atMs: LastModified?.getTime() ?? 0 })
      }
      return listed
    },
    remove: async Key => {
      await client.send(new s3.DeleteObjectCommand({ Bucket, Key }))
    },
    // The parts of an aborted upload are not objects; the bucket's own rules remove them.
    forgetUnfinished: () => Promise.resolve(),
  }
}
