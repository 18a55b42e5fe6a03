/** After ten declined payments within 24 hours no more are tried, so nobody can use us to test stolen cards. */
import { expect, test } from 'vitest'
import { draftOf, password, type Person } from '../../testing/app.ts'
import { inParallel, tally } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'

const t = testApp()

const withBadCard = async () => {
  const developer = await t.signUp('DEVELOPER')
  await developer.call('PATCH', '/users/me', { paymentMethod: 'decline@example.test', currentPassword: password })
  const { id, totalCostCents: amountCents } = await draftOf(developer)
  return { developer, pay: (key?: string) => developer.call('POST', `/campaigns/${id}/fund`, { amountCents }, key) }
}
const declinesOf = async ({ user }: Person) =>
  (await t.look("select from payments where developer_id = $1 and status = 'FAILED'", [user.id])).length

test('of many attempts for many campaigns at the same moment, exactly ten reach the provider', async () => {
  const { developer } = await withBadCard()
  const drafts = await inParallel(14, () => draftOf(developer))
  const answers = await Promise.all(
    drafts.map(({ id, totalCostCents: amountCents }) =>
      developer.call('POST', `/campaigns/${id}/fund`, { amountCents }),
    ),
  )
  expect(tally(answers)).toEqual({ 402: 10, 429: 4 })
  expect(await declinesOf(developer)).toBe(10)
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.body).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  const { id, totalCostCents: amountCents } = drafts[0]!
  const later = await developer.call('POST', `/campaigns/${id}/fund`, { amountCents })
  expect(later.body).toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    message: '10 of your payments were declined in the last 24 hours. Check your payment method, and try again later.',
  })
  expect(Number(later.headers['retry-after'])).toBeGreaterThan(23 * 3600)
})

test('declines count for a day, even against a method that would be accepted, but not for other developers', async () => {
  const { developer, pay } = await withBadCard()
  for (let attempt = 0; attempt < 10; attempt++) await pay()
  await developer.call('PATCH', '/users/me', { paymentMethod: 'good@example.test', currentPassword: password })
  await t.advance(23)
  expect((await pay()).status).toBe(429)
  expect((await (await withBadCard()).pay()).status).toBe(402)
  await t.advance(1)
  expect((await pay()).status).toBe(200)
})

test('a repeated request gets the first answer, and counts once', async () => {
  const { developer, pay } = await withBadCard()
  for (let attempt = 0; attempt < 10; attempt++) await pay('same')
  expect(await declinesOf(developer)).toBe(1)
  for (let attempt = 0; attempt < 9; attempt++) expect((await pay()).status).toBe(402)
  expect((await pay()).status).toBe(429)
  expect((await pay('same')).status).toBe(402)
})
