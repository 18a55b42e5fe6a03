import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paths } from '../../kit/paths.ts'
import { servePage } from './page.ts'
import { routedUrl } from './routedUrl.ts'

let folder: string
let app: FastifyInstance
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldtest-page-'))
  await writeFile(join(folder, 'landing.html'), '<h1>The landing page</h1>')
  await writeFile(join(folder, 'index.html'), '<html data-payments="test"><div id="root"></div>')
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets', 'part-1.js'), 'export {}')
  app = Fastify({ rewriteUrl: routedUrl })
  await servePage(app, {}, { folder })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
const screens = Object.values(paths)
  .map(path => (typeof path === 'function' ? path('some-id', 'testers') : path))
  .filter(path => path !== paths.home)

test.each(screens)('%s is answered with the app', async path => {
  const { statusCode, body, headers } = await get(path)
  expect(statusCode).toBe(200)
  expect(body).toContain('id="root"')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
})

test.each(['/no/such/page?at=all', '/dashboard/no', '/dashboard/users/some-id/more', '/logins'])(
  '%s has no screen: 404, with the app that says so',
  async path => {
    const { statusCode, body, headers } = await get(path)
    expect(statusCode).toBe(404)
    expect(body).toContain('id="root"')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const head = await app.inject({ method: 'HEAD', url: path })
    expect(head.statusCode).toBe(404)
  },
)

test.each([
  '/nope.png',
  '/about.php',
  '/nope/john.doe',
  '/.env',
  '/.git/config',
  '/%',
  '/%c0',
  '//login',
  '/login%00',
  '/..%2f..%2fetc/passwd',
  '/assets/',
  '/%?at=%',
])('%s, typed into the address bar, shows that nothing is there', async path => {
  const { statusCode, body } = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  expect(statusCode).toBe(404)
  expect(body).toContain('id="root"')
})

test('when loaded again, a screen is unchanged, and what was not found still is not', async () => {
  const etag = String((await get('/login')).headers.etag)
  expect((await get('/login', { 'if-none-match': etag })).statusCode).toBe(304)
  const missing = await get('/no/such/page', { 'if-none-match': etag })
  expect(missing.statusCode).toBe(404)
  expect(missing.body).toContain('id="root"')
})

test('a missing file, an API call and a form do not get the page', async () => {
  expect((await get('/assets/part-1.js')).headers['cache-control']).toContain('immutable')
  for (const url of ['/assets/part-2.js', '/favicon.png', '/api/v1/no/such/call']) {
    const { statusCode, headers } = await get(url)
    expect(statusCode).toBe(404)
    expect(headers['content-type']).toContain('json')
  }
  const form = await app.inject({ method: 'POST', url: '/login' })
  expect(form.statusCode).toBe(404)
  expect(form.headers['content-type']).toContain('json')
})

test.each([
  [{ testMode: true, checkout: false }, ' data-payments="test"'],
  [{ testMode: true, checkout: true }, ' data-payments="test" data-checkout="provider"'],
  [{ testMode: false, checkout: true }, ' data-checkout="provider"'],
])('the document says whether money is real, and whether people pay at the provider: %o', async (payments, said) => {
  const served = Fastify()
  await servePage(served, {}, { folder, ...payments })
  expect((await served.inject('/login')).body).toContain(`<html${said}><div id="root">`)
  await served.close()
})

test('with the sandbox provider, the document says TEST MODE', async () => {
  expect((await get('/login')).body).toContain('<html data-payments="test">')
})
