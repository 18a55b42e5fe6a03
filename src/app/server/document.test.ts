/** The page that shows the API document. */
import { expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'

const t = testApp()

test('the page that reads it is HTML and names no other host', async () => {
  let reply = await t.app.inject({ method: 'GET', url: '/docs' })
  if (reply.statusCode >= 300 && reply.statusCode < 400) {
    reply = await t.app.inject({
      method: 'GET',
      url: new URL(String(reply.headers.location), 'http://localhost/docs').pathname,
    })
  }
  expect(reply.statusCode).toBe(200)
  expect(reply.headers['content-type']).toMatch(/^text\/html/)
  expect(reply.payload).toContain('/api/v1/openapi.json')
  expect(reply.payload.match(/(?:https?:)?\/\/[\w.-]+\.[a-z]{2,}/gi) ?? []).toEqual([])
  const policy = String(reply.headers['content-security-policy'])
  expect(policy).toContain("connect-src 'self'")
  expect(policy).not.toMatch(/https?:|\*/)
  // Its script comes from here too.
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(reply.payload) ?? []
  const source = await t.app.inject({ method: 'GET', url: new URL(script!, 'http://localhost/docs/').pathname })
  expect([source.statusCode, source.headers['content-type']]).toEqual([
    200,
    expect.stringContaining('javascript') as string,
  ])
})
