/** What makes a thing makes it once, when the request comes twice with one Idempotency-Key. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { campaignInput } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel } from '../../testing/observed.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const tester = signedUp(t, 'TESTER')
const admin = signedUp(t, 'ADMIN')

const message = { subject: 'Hello', message: 'How are you?' }
const count = async (table: string) => (await t.look<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n

const cases = [
  ['a campaign', () => developer, () => '/campaigns', campaignInput, { ...campaignInput, title: 'B' }, 'campaigns', 1],
  [
    'a message',
    () => admin,
    () => `/admin/users/${tester.user.id}/message`,
    message,
    { ...message, subject: 'B' },
    'notifications',
    1,
  ],
  ['sample reports', () => admin, () => '/admin/fraud-reports/generate-samples', undefined, null, 'fraud_reports', 5],
] as const

test.each(cases)('%s', async (_, person, path, body, another, table, made) => {
  const send = (key?: string, what: unknown = body) => person().call('POST', path(), what, key)
  const before = await count(table)
  const key = randomUUID()
  const replies = await inParallel(5, () => send(key))
  expect(new Set(replies.map(({ status }) => status)).size).toBe(1)
  expect(replies[0]!.status).toBeLessThan(300)
  expect(new Set(replies.map(reply => JSON.stringify(reply.body))).size).toBe(1)
  expect(await count(table)).toBe(before + made)
  if (another) expect(await send(key, another)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
  await send()
  await send()
  expect(await count(table)).toBe(before + 3 * made)
})
