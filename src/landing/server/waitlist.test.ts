import { beforeEach, expect, test } from 'vitest'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { WaitlistEntry } from '../contract.ts'
import { waitlistLimit } from '../rules.ts'

type Page = { data: WaitlistEntry[]; page: number; limit: number; total: number }

const signUp = { email: 'ann@example.test', country: 'DE', role: 'tester' }

// Everything here must hold with rate limits on.
const t = testApp({ RATE_LIMIT: 'on' })
const admin = signedUp(t, 'ADMIN')
beforeEach(async () => {
  await t.look('truncate waitlist, hourly_calls')
})

const join = (body: unknown) => t.call('POST', '/waitlist', { body })
const rows = () =>
  t.look<{ email: string; country: string; role: string }>('select email, country, role from waitlist order by id')

/** Inserts directly: the list does not depend on how an entry was created. */
const fill = (count: number, role: string) =>
  t.look(
    `insert into waitlist select ('0192aaaa-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'p' || n || '@example.test',
      'FR', $2, now() from generate_series(1, $1::int) n`,
    [count, role],
  )

test('anyone can join the waitlist, and the entry is stored', async () => {
  expect(await join(signUp)).toMatchObject({ status: 201, body: signUp })
  expect(await rows()).toEqual([signUp])
})

test('the role is optional, and the country may be given by name', async () => {
  expect((await join({ email: 'bo@example.test', country: 'united states' })).status).toBe(201)
  expect(await rows()).toEqual([{ email: 'bo@example.test', country: 'US', role: 'developer' }])
})

test('signing up twice succeeds both times with the same kind of reply, and the first entry stays', async () => {
  expect((await join(signUp)).status).toBe(201)
  const again = await join({ email: ' ANN@Example.test ', country: 'FR', role: 'developer' })
  expect(again).toMatchObject({ status: 201, body: { email: 'ann@example.test', country: 'FR', role: 'developer' } })
  expect(await rows()).toEqual([signUp])
})

test('concurrent sign-ups of one address create one entry', async () => {
  const replies = await Promise.all(Array.from({ length: 12 }, () => join(signUp)))
  expect(replies.map(reply => reply.status)).toEqual(Array(12).fill(201))
  expect(await rows()).toHaveLength(1)
})

test.each([
  ['no email', { country: 'DE' }, { email: 'Email is required' }],
  ['an email without a host', { ...signUp, email: 'ann@' }, { email: 'Enter a valid email address' }],
  [
    'two addresses in one',
    { ...signUp, email: 'a@example.test, b@example.test' },
    { email: 'Enter a valid email address' },
  ],
  [
    'a header in the email',
    { ...signUp, email: 'a@example.test\r\nBcc: b@example.test' },
    { email: 'Enter a valid email address' },
  ],
  ['no country', { email: signUp.email }, { country: 'Country is required' }],
  ['an empty country', { ...signUp, country: ' ' }, { country: 'Country is required' }],
  ['an unknown country', { ...signUp, country: 'Atlantis' }, { country: 'Choose a country from the list' }],
  ['a role that cannot be chosen', { ...signUp, role: 'ADMIN' }, { role: 'Role must be developer or tester' }],
  [
    'NUL',
    { ...signUp, email: 'a\0@example.test' },
    { email: 'Text may not contain NUL characters or broken Unicode.' },
  ],
])('%s is refused at its field, and nothing is stored', async (_, body, fields) => {
  const reply = await join(body)
  expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', fields } })
  expect(await rows()).toEqual([])
})

test('one network address cannot flood the list, not even concurrently, and may sign up again after an hour', async () => {
  const { perHour } = waitlistLimit
  const flood = Array.from({ length: perHour + 10 }, (_, n) => join({ ...signUp, email: `p${n}@example.test` }))
  const statuses = (await Promise.all(flood)).map(reply => reply.status)
  expect(statuses.filter(status => status === 201)).toHaveLength(perHour)
  expect(statuses.filter(status => status === 429)).toHaveLength(10)
  expect(await rows()).toHaveLength(perHour)
  const refused = await join(signUp)
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
  const from = async (remoteAddress: string) =>
    (await t.app.inject({ method: 'POST', url: '/api/v1/waitlist', remoteAddress, payload: signUp })).statusCode
  expect(await from('2001:db8:0:7::1')).toBe(201)
  await t.look(`update hourly_calls set calls = $1 where caller like '2001:db8:%'`, [perHour])
  expect([await from('2001:db8:0:7:ffff::1'), await from('2001:db8:0:8::1')]).toEqual([429, 201])
  await t.advance(1)
  expect((await join(signUp)).status).toBe(201)
})

test('the admin reads the list newest first, page by page', async () => {
  await fill(25, 'developer')
  const first = await admin.call<Page>('GET', '/admin/waitlist')
  expect(first.body).toMatchObject({ page: 1, limit: 20, total: 25 })
  expect(first.body.data.map(entry => entry.email)).toEqual(
    Array.from({ length: 20 }, (_, n) => `p${25 - n}@example.test`),
  )
  const second = await admin.call<Page>('GET', '/admin/waitlist?page=2')
  expect(second.body.data.map(entry => entry.email)).toEqual(
    ['p5', 'p4', 'p3', 'p2', 'p1'].map(name => `${name}@example.test`),
  )
})

test('the list is searched by part of the address, ignoring case, and filtered by role; wildcards are literal', async () => {
  await fill(3, 'developer')
  await join(signUp)
  await join({ ...signUp, email: 'under_score@example.test' })
  const found = async (query: string) =>
    (await admin.call<Page>('GET', `/admin/waitlist?${query}`)).body.data.map(entry => entry.email)
  expect(await found('search=ANN')).toEqual(['ann@example.test'])
  expect(await found('search=_')).toEqual(['under_score@example.test'])
  expect(await found('search=%25')).toEqual([])
  expect(await found('role=developer&search=p2')).toEqual(['p2@example.test'])
  expect(await found('role=tester')).toEqual(['under_score@example.test', 'ann@example.test'])
  expect((await admin.call('GET', '/admin/waitlist?role=ADMIN')).status).toBe(400)
})

test('only admins see the waitlist', async () => {
  expect((await t.call('GET', '/admin/waitlist')).status).toBe(401)
  for (const role of ['DEVELOPER', 'TESTER'] as const) {
    expect((await (await t.signUp(role)).call('GET', '/admin/waitlist')).status).toBe(403)
  }
})

const sendForm = (fields: string, headers: Record<string, string> = {}) =>
  t.app.inject({
    method: 'POST',
    url: '/waitlist',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: fields,
  })

test.each([
  ['on our page', { 'sec-fetch-site': 'same-origin' }],
  ['sent again by the browser itself', { 'sec-fetch-site': 'none' }],
  ['of a browser that does not say whose it is', {}],
])(
  'the form %s works without JavaScript: the entry is stored, and the reply redirects to the page',
  async (_, headers) => {
    const reply = await sendForm('email=ann%40example.test&country=DE&role=tester', headers)
    expect([reply.statusCode, reply.headers.location]).toEqual([303, '/#joined'])
    expect(await rows()).toEqual([signUp])
  },
)

test.each([
  ['a wrong email', 'email=ann&country=DE', {}],
  ['NUL', 'email=a%00%40example.test&country=DE', {}],
  ['a form on another site', 'email=ann%40example.test&country=DE', { 'sec-fetch-site': 'cross-site' }],
])('the form without JavaScript refuses %s, and stores nothing', async (_, fields, headers) => {
  const reply = await sendForm(fields, headers)
  expect([reply.statusCode, reply.headers.location]).toEqual([303, '/#refused'])
  expect(await rows()).toEqual([])
})
