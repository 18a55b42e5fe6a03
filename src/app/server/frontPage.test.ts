import { createHash } from 'node:crypto'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mountFrontPage } from './frontPage.ts'

const theme = "document.documentElement.dataset.theme = 'dark'"
const page = (word: string) => `<head><!--addresses--><script>${theme}</script></head><a href="?text=${word}{address}">`

let built: string
let app: FastifyInstance

const start = async (publicUrl?: string) => {
  app = Fastify()
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', "default-src 'self';script-src 'self';style-src 'self'")
  })
  mountFrontPage(app, built, { PUBLIC_URL: publicUrl })
  await app.ready()
}
const get = (url = '/', headers: Record<string, string> = {}) => app.inject({ url, headers })

beforeEach(async () => {
  built = await mkdtemp(join(tmpdir(), 'fieldtest-front-'))
  await writeFile(join(built, 'landing.html'), page('old'))
})
afterEach(async () => {
  await app.close()
  await rm(built, { recursive: true, force: true })
})

test('with a public address, the page names it as canonical and for link previews', async () => {
  await start('https://fieldtest.example/')
  const { body } = await get()
  expect(body).toContain('<link rel="canonical" href="https://fieldtest.example/">')
  expect(body).toContain('<meta property="og:image" content="https://fieldtest.example/og.png">')
  expect(body).toContain('?text=oldhttps%3A%2F%2Ffieldtest.example"')
})

test('without one, it names nothing as canonical, and the requested address for link previews', async () => {
  await start()
  for (const host of ['here.example', 'localhost:3000', '[::1]:3000', '192.0.2.7']) {
    const { body } = await get('/', { host })
    expect(body).toContain(`<meta property="og:url" content="http://${host}/">`)
    expect(body).toContain(`<meta property="og:image" content="http://${host}/og.png">`)
    expect(body).not.toContain('canonical')
    expect(body).toContain('?text=old"')
  }
})

test.each([
  'here.example"><evil>',
  'a b',
  'user@here.example',
  'here.example/path',
  ':80',
  'x'.repeat(300),
  'ünï.example',
])('a Host header that is not an address appears nowhere: %j', async host => {
  await start()
  const { body, statusCode } = await get('/', { host })
  expect(statusCode).toBe(200)
  expect(body).toContain('<head><meta property="og:image" content="/og.png"><script>')
  expect((await get('/sitemap.xml', { host })).body).toContain('<loc>/register</loc>')
})

test('it is rendered once for each of a few addresses; all others get the default page', async () => {
  await start()
  const pageAt = async (host: string) => (await get('/', { host })).body
  const first = await pageAt('a.example')
  for (const host of ['b.example', 'c.example', 'd.example', 'e.example']) expect(await pageAt(host)).toContain(host)
  const others = await Promise.all(Array.from({ length: 20 }, (_, n) => pageAt(`${n}.example`)))
  expect([...new Set(others)]).toEqual([expect.stringContaining('content="/og.png"')])
  expect(await pageAt('A.example')).toBe(first)
  await utimes(join(built, 'landing.html'), 1, 1)
  expect(await pageAt('z.example')).toContain('http://z.example/og.png')
})

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ['BR;\tQ=0, GZIP', 'gzip', gunzipSync],
  ['identity', undefined, (raw: Buffer) => raw],
])('a client that accepts %j gets %s', async (accepted, encoding, decode) => {
  await start()
  const reply = await get('/', { 'accept-encoding': accepted })
  expect(reply.headers['content-encoding']).toBe(encoding)
  expect(reply.headers.vary).toBe('accept-encoding')
  expect(decode(reply.rawPayload).toString()).toContain('?text=old')
})

test('the policy allows the theme’s script by its hash, and no other inline script', async () => {
  await start()
  const hash = createHash('sha256').update(theme).digest('base64')
  expect((await get()).headers['content-security-policy']).toBe(
    `default-src 'self';script-src 'self' 'sha256-${hash}';style-src 'self'`,
  )
})

test('an unchanged page gets 304, and a new build is served at once', async () => {
  await start()
  const etag = String((await get()).headers.etag)
  expect((await get('/', { 'if-none-match': etag })).statusCode).toBe(304)
  await writeFile(join(built, 'landing.html'), page('new'))
  await utimes(join(built, 'landing.html'), 1, 1)
  const fresh = await get('/', { 'if-none-match': etag })
  expect([fresh.statusCode, fresh.body.includes('?text=new')]).toEqual([200, true])
})

test('robots are kept out of the dashboard and pointed to the sitemap, which lists full addresses', async () => {
  await start()
  const robots = (await get('/robots.txt', { host: 'here.example' })).body
  expect(robots).toContain('Disallow: /dashboard\n')
  expect(robots).toContain('Sitemap: http://here.example/sitemap.xml')
  const map = await get('/sitemap.xml', { host: 'here.example"><evil>' })
  expect(map.headers['content-type']).toContain('application/xml')
  expect(map.body).not.toContain('<evil>')
  expect((await get('/sitemap.xml', { host: 'here.example' })).body).toContain(
    '<loc>http://here.example/register</loc>',
  )
})

test('the page has one address', async () => {
  await start()
  for (const file of ['/landing.html', '/index.html']) {
    const reply = await get(file)
    expect([reply.statusCode, reply.headers.location]).toEqual([301, '/'])
  }
})
