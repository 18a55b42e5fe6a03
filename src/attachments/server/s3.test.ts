/** Files in a bucket of an S3 service behave like those on disk, and every request is signed. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSignedBy, startBucket, type TestBucket } from '../../testing/bucket.ts'
import { film, picture } from '../../testing/pictures.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { upload, uploaded } from '../../testing/uploads.ts'
import type { Storage } from './content.ts'
import { bucket } from './s3.ts'

let service: TestBucket
beforeAll(async () => {
  service = await startBucket()
})
afterAll(() => service.stop())

const t = testApp(() => ({ STORAGE_URL: service.url() }))
const tester = signedUp(t, 'TESTER')

const read = (path: string) =>
  t.app.inject({
    method: 'GET',
    url: `/api/v1/attachments/${path}`,
    headers: { authorization: `Bearer ${tester.accessToken}` },
  })
const rows = () => t.look('select id from attachments')
const wholeOf = async (storage: Storage, name: string) => buffer(await storage.get(name))

test('our signature check agrees with the examples published by AWS', () => {
  const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
  const getVanilla = {
    host: 'example.amazonaws.com',
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  }
  expect(isSignedBy(secret, { method: 'GET', url: '/', headers: getVanilla })).toBe(true)
  const ofS3 = {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  }
  const getObject = { method: 'GET', url: '/test.txt', headers: ofS3 }
  const s3Secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
  expect(isSignedBy(s3Secret, getObject)).toBe(true)
  expect(isSignedBy('another', getObject)).toBe(false)
  expect(isSignedBy(s3Secret, { ...getObject, url: '/other.txt' })).toBe(false)
  expect(isSignedBy(s3Secret, { ...getObject, headers: { ...ofS3, range: 'bytes=0-99' } })).toBe(false)
})

test('an image is put, read with its preview, and removed', async () => {
  const { id, bytes } = await uploaded(t, tester, await picture({ width: 900, height: 600 }))
  expect((await read(id)).rawPayload.length).toBe(bytes)
  const { default: sharp } = await import('sharp')
  const { rawPayload } = await read(`${id}/preview`)
  expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'webp', width: 480, height: 320 })
  expect((await tester.call('DELETE', `/attachments/${id}`)).status).toBe(204)
  expect(await rows()).toEqual([])
  for (const name of [id, `${id}.preview`]) await expect(wholeOf(bucket(service.url()), name)).rejects.toThrow()
})

test('a video comes back byte for byte, and the signature covers its bytes', async () => {
  const bytes = film({ samples: 300_000 })
  const { id } = await uploaded(t, tester, bytes)
  expect((await read(id)).rawPayload.equals(bytes)).toBe(true)
  const put = service.requests.findLast(({ method }) => method === 'PUT')
  const bodyHash = createHash('sha256').update(bytes).digest('hex')
  expect(put).toEqual({ method: 'PUT', path: `/files/${id}`, bodyHash })
  await tester.call('DELETE', `/attachments/${id}`)
})

test('unattached files leave the bucket after 24 hours', async () => {
  const { id } = await uploaded(t, tester, await picture())
  await t.advance(25)
  expect(await rows()).toEqual([])
  await expect(wholeOf(bucket(service.url()), id)).rejects.toThrow()
})

describe('a bucket that cannot be used', () => {
  const expectNothingKept = async () => {
    await tester.call('GET', '/users/me')
    const { status, body } = await upload(t, tester, await picture())
    expect([status, body.code, body.message]).toEqual([
      503,
      'UNAVAILABLE',
      'The file storage cannot be reached. Try again in a moment.',
    ])
  }

  test('answers an upload with 503, and possible leftovers are swept once the bucket is back', async () => {
    service.setDown(true)
    await expectNothingKept()
    service.setDown(false)
    await t.advance(2)
    expect(await rows()).toEqual([])
  })

  test('is neither written nor read with the wrong secret', async () => {
    const stranger = bucket(service.url('wrong'))
    const before = service.requests.length
    await expect(stranger.put('some-file', Buffer.from('x'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(stranger.get('some-file')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(service.requests.length).toBe(before)
  })
})
