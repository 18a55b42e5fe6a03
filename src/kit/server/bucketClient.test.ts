/** Calls to a bucket that does not answer end, so callers do not wait forever. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bucketClient } from './bucketClient.ts'

const sockets = new Set<Socket>()
/** What the server sends before it falls silent. */
let answer = ''
let server: Server
beforeAll(async () => {
  server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => answer && socket.write(answer))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

const get = async () => {
  const { port } = server.address() as AddressInfo
  const place = { bucket: 'files', region: 'us-east-1', accessKeyId: 'key', secretAccessKey: 'secret' }
  const { s3, client } = await bucketClient(
    { ...place, endpoint: `http://127.0.0.1:${port}` },
    { connectionTimeout: 200, socketTimeout: 200 },
  )
  const { Body } = await client.send(new s3.GetObjectCommand({ Bucket: 'files', Key: 'one' }))
  return text(Body as Readable)
}

test('a call that is never answered fails after three tries', async () => {
  answer = ''
  await expect(get()).rejects.toThrow('timed out')
  expect(sockets.size).toBe(3)
})

test('a file that stops arriving halfway fails', async () => {
  answer = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'
  await expect(get()).rejects.toThrow('timed out')
})
