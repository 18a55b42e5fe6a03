/** An S3 service for tests: s3rver for the protocol, behind our own check of signatures, which s3rver does not verify. */
import { createHash, createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

export type Signed = { method: string; url: string; headers: IncomingHttpHeaders }

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** Whether this secret signed this request: signature version 4, written from AWS's description, not from our code. */
export const isSignedBy = (secret: string, { method, url, headers }: Signed): boolean => {
  const [, , scope, names, signature] = authorization.exec(headers.authorization ?? '') ?? []
  if (scope === undefined || names === undefined) return false
  const [day = '', region = '', service = ''] = scope.split('/')
  const { pathname, searchParams } = new URL(url, 'http://host')
  const query = Array.from(searchParams, pair => pair.map(encodeURIComponent).join('='))
    .toSorted()
    .join('&')
  const lines = names.split(';').map(name => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, ' ')}\n`)
  const bodyHash = headers['x-amz-content-sha256'] ?? hash('')
  const request = [method, pathname, query, lines.join(''), names, bodyHash].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(request)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return hmac(key, text).toString('hex') === signature
}

const bucketKeys = { id: 'S3RVER', secret: 'S3RVER' }

export type TestBucket = {
  /** The value for STORAGE_URL. */
  url: (secret?: string) => string
  /** The requests that were correctly signed. */
  requests: { method: string; path: string; bodyHash: string }[]
  /** Whether it answers nothing but 503. */
  setDown: (down: boolean) => void
  stop: () => Promise<void>
}

export const startBucket = async (): Promise<TestBucket> => {
  const directory = await mkdtemp(join(tmpdir(), 'fieldtest-bucket-'))
  const service = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets: [{ name: 'files' }] })
  await service.configureBuckets()
  const answer = service.getMiddleware()
  const requests: TestBucket['requests'] = []
  let isDown = false
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    const refuse = (status: number) => {
      request.resume()
      response.writeHead(status).end()
    }
    if (isDown) return refuse(503)
    if (!isSignedBy(bucketKeys.secret, { method, url, headers })) return refuse(403)
    requests.push({
      method,
      path: new URL(url, 'http://host').pathname,
      bodyHash: String(headers['x-amz-content-sha256']),
    })
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (secret = bucketKeys.secret) =>
      `http://${bucketKeys.id}:${secret}@127.0.0.1:${port}/files?region=eu-central-1`,
    requests,
    setDown: down => {
      isDown = down
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}
