/** The page that shows the API document (e2e/docs.spec.ts opens it in a browser). */
import { expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'

const t = testApp()

const get = (url: string, encoding = 'identity') =>
  t.app.inject({ method: 'GET', url, headers: { 'accept-encoding': encoding } })
const page = () => get('/docs')
const scriptAddress = async () => /<script src="([^"]+)"/.exec((await page()).payload)![1]!

test('the page contains the document itself, and may neither call anything nor act as this site', async () => {
  const { statusCode, headers, payload } = await page()
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const [, document] = /<script type="application\/json" id="document">(.*?)<\/script>/s.exec(payload)!
  expect(JSON.parse(document!)).toEqual((await get('/api/v1/openapi.json')).json())
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain('sandbox allow-scripts')
  expect(policy).not.toMatch(/allow-same-origin|connect-src|https?:|\*/)
  // Only inline scripts that the policy names may run.
  expect(policy).not.toMatch(/script-src[^;]*'unsafe-inline'/)
})

test('its script is compressed beforehand, and cached forever under its name', async () => {
  const address = await scriptAddress()
  const sizes: number[] = []
  for (const encoding of ['br', 'gzip']) {
    const { statusCode, headers, rawPayload } = await get(address, encoding)
    expect([statusCode, headers['content-encoding']]).toEqual([200, encoding])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    // A page without an origin is cross-origin to this site.
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect(headers['content-type']).toContain('javascript')
    sizes.push(rawPayload.length)
  }
  const plain = await get(address)
  expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined])
  expect(Math.max(...sizes)).toBeLessThan(plain.rawPayload.length / 3)
})

test('the page is compressed, and its longer address redirects to it', async () => {
  expect((await get('/docs', 'gzip, br')).headers).toMatchObject({ 'content-encoding': 'br', vary: expect.any(String) })
  expect((await get('/docs', 'gzip, br;q=0')).headers['content-encoding']).toBe('gzip')
  expect((await get('/docs/')).headers.location).toBe('/docs')
  expect((await get('/docs/js/scalar.js')).statusCode).toBe(404)
})
