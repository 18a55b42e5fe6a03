/** Bodies that no honest client sends are refused at the edge with a sentence and never with a 5xx, and change nothing. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { badBodies } from '../../testing/badBodies.ts'
import { faultOf, hostileTo, invalid, isPublic } from '../../testing/hostile.ts'
import { everyStep, type Step } from '../../testing/walk.ts'

const t = testApp()
const hostile = hostileTo(t)

const withBody = everyStep.filter(({ endpoint }) => endpoint.body)
const writing = everyStep.filter(({ endpoint }) => endpoint.method !== 'GET')
/** Uploads take a file instead (src/attachments/server/attacks.test.ts). */
const takingJson = writing.filter(({ endpoint }) => !endpoint.upload)
const named = (steps: readonly Step[]) => steps.map(step => [step.name, step] as const)

test.each(named(withBody))('%s refuses each wrong field with a sentence at that field', async (_name, step) => {
  const bodies = badBodies(step.endpoint.body!, step.body)
  expect(bodies.length).toBeGreaterThan(10)
  const faults: string[] = []
  for (const { why, path, text } of bodies) {
    const isJson = !why.startsWith('not JSON')
    // A fault deeper than any field is reported at the field that contains it.
    const field = isJson && path.length > 0 ? String(path[0]) : undefined
    const fault = faultOf(await hostile.send(step, { text }), { ...invalid, ...(field && { field }) })
    if (fault) faults.push(`${path.join('.')} ${why} → ${fault}`)
  }
  expect(faults).toEqual([])
})

const brokenTexts = [
  '{',
  '{"a":',
  '{"a":1',
  'nonsense',
  '{a:1}',
  "{'a':1}",
  '[1,]',
  '\u0000',
  '\uFEFF{}x',
  '{"a":1}{"b":2}',
  '"open',
]

test.each(named(takingJson))('%s refuses anything that is not JSON', async (_name, step) => {
  for (const text of brokenTexts) {
    expect([text, faultOf(await hostile.send(step, { text }), invalid)]).toEqual([text, null])
  }
})

test.each(named(withBody))('%s refuses a truncated body', async (_name, step) => {
  const whole = JSON.stringify(step.body)
  for (let length = 1; length < whole.length; length += Math.ceil(whole.length / 12)) {
    const text = whole.slice(0, length)
    expect([text, faultOf(await hostile.send(step, { text }), invalid)]).toEqual([text, null])
  }
})

test.each(named(takingJson))('%s accepts only application/json, up to 1 MB', async (_name, step) => {
  const text = JSON.stringify(step.body ?? {})
  const unsupported = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' }
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    ';;',
    null,
  ]
  for (const type of types) {
    expect([type, faultOf(await hostile.send(step, { text, type }), unsupported)]).toEqual([type, null])
  }
  const large = await hostile.send(step, { text: JSON.stringify({ a: 'x'.repeat(2_000_000) }) })
  expect(faultOf(large, { status: 413, code: 'PAYLOAD_TOO_LARGE' })).toBeNull()
})

test('a body that is nested too deep gets that sentence, whatever else is wrong with it; broken text gets its own', async () => {
  const messagesOf = (inner: string) =>
    Promise.all(withBody.map(async step => (await hostile.send(step, { text: `{"deep":${inner}}` })).body.message))
  const deep = `${'['.repeat(20)}"\\u0000"${']'.repeat(20)}`
  expect(new Set(await messagesOf(deep))).toEqual(new Set(['Lists and objects may be at most 20 levels deep.']))
  expect(new Set(await messagesOf(String.raw`["\u0000"]`))).toEqual(
    new Set(['Text may not contain NUL characters or broken Unicode.']),
  )
})

test('an endpoint that needs a body says so when there is none', async () => {
  const needy = withBody.filter(({ endpoint }) => !endpoint.body!.safeParse(undefined).success)
  expect(needy.length).toBeGreaterThan(8)
  for (const step of needy) {
    for (const sent of [{}, { text: '' }, { text: 'null' }]) {
      expect([step.name, faultOf(await hostile.send(step, sent), invalid)]).toEqual([step.name, null])
    }
  }
})

test('a __proto__ property in a body has no effect, in the request or elsewhere', async () => {
  const needy = withBody.filter(({ endpoint }) => !endpoint.body!.safeParse({}).success)
  for (const step of needy) {
    const inner = JSON.stringify(step.body)
    for (const text of [`{"__proto__":${inner}}`, `{"constructor":{"prototype":${inner}}}`]) {
      expect([step.name, faultOf(await hostile.send(step, { text }), invalid)]).toEqual([step.name, null])
    }
    const nul = await hostile.send(step, { text: String.raw`{"__proto__":{"polluted":"\u0000"}}` })
    expect([step.name, faultOf(nul, invalid)]).toEqual([step.name, null])
  }
  expect('polluted' in {}).toBe(false)
})

test('random bodies never make the server fail', async () => {
  const anything = fc.oneof(fc.json({ maxDepth: 4 }), fc.string({ unit: 'binary' }), fc.constantFrom(...brokenTexts))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...withBody), anything, fc.json(), async (step, text, inner) => {
      const key = Object.keys(step.body as object)[0]!
      const halfRight = JSON.stringify({ ...(step.body as object), [key]: JSON.parse(inner) })
      for (const sent of [text, halfRight]) {
        const reply = await hostile.send(step, { text: sent })
        expect(reply.status).toBeLessThan(500)
        if (reply.status === 400) expect(faultOf(reply, invalid)).toBeNull()
      }
      // Some of the random bodies are valid.
      await hostile.changed()
    }),
    { numRuns: 300, seed: 20_261_121 },
  )
})

test('the caller is authenticated before the body is read', async () => {
  for (const step of writing.filter(each => !isPublic(each))) {
    const nobody = await t.call(step.endpoint.method, hostile.ownPath(step), { body: '{"broken' })
    expect([step.name, nobody.status]).toEqual([step.name, 401])
    const large = await t.call(step.endpoint.method, hostile.ownPath(step), { body: `"${'x'.repeat(2_000_000)}"` })
    expect([step.name, large.status]).toEqual([step.name, 401])
  }
})
