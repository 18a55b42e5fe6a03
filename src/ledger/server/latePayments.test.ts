/** When a payment that was on its way is settled, its developer, who did not have to wait for it, is told the result. */
import { expect, test } from 'vitest'
import { draftOf, password, type Person } from '../../testing/app.ts'
import { emailsOf } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')

const payingBy = async (paymentMethod: string) => {
  const developer = await t.signUp('DEVELOPER')
  await developer.call('PATCH', '/users/me', { paymentMethod, currentPassword: password })
  const { id, title } = await draftOf(developer)
  const fund = () => developer.call('POST', `/campaigns/${id}/fund`, { amountCents: 3450 })
  return { developer, id, title, fund }
}
const toldOf = (id: string) =>
  t.look<{ kind: string; text: string }>(
    `select kind, text from notifications where about_id = $1 and kind like 'PAYMENT%' order by id`,
    [id],
  )
const emailedTo = async ({ user }: Person) => (await emailsOf(t)).filter(email => email.startsWith(user.email))

test('a payment that is refused later is announced, with what to do next', async () => {
  const { developer, id, title, fund } = await payingBy('later@example.test')
  expect((await fund()).status).toBe(200)
  expect(await toldOf(id)).toEqual([])
  await t.advance(1)
  expect(await toldOf(id)).toEqual([
    {
      kind: 'PAYMENT_FAILED',
      text: `Your payment of $34.50 for “${title}” did not go through, and nothing was charged:\n\nThe payment was declined. The sandbox declines this payment method, as it was asked to.\n\nOpen the campaign to pay again, with another payment method if needed.`,
    },
  ])
  expect(await emailedTo(developer)).toContain(`${developer.user.email}: Payment declined: ${title}`)
})

test.each([
  ['an edit', (d: Person, id: string) => d.call('PATCH', `/campaigns/${id}`, { payPerTesterCents: 2000 }), true],
  ['a cancellation', (d: Person, id: string) => d.call('POST', `/campaigns/${id}/cancel`), false],
])('a payment that goes back after %s is announced', async (_what, change, isDraft) => {
  const { developer, id, title, fund } = await payingBy('slow@example.test')
  await fund()
  await change(developer, id)
  await t.advance(1)
  const next = isDraft ? ' The campaign is a draft: open it to see what it still needs.' : ''
  expect(await toldOf(id)).toEqual([
    {
      kind: 'PAYMENT_RETURNED',
      text: `Your payment of $34.50 for “${title}” went through when the campaign could no longer accept it, so we refund all of it to you.${next}`,
    },
  ])
})

test('a payment that arrives an hour later or more is announced', async () => {
  const { id, title, fund } = await payingBy('slow@example.test')
  await fund()
  await t.advance(1)
  expect(await toldOf(id)).toEqual([
    {
      kind: 'PAYMENT_ARRIVED',
      text: `Your payment of $34.50 for “${title}” has arrived. The campaign is now submitted for approval.`,
    },
  ])
})

test('a payment whose developer waits for the answer is announced by that answer only', async () => {
  const declined = await payingBy('decline@example.test')
  expect((await declined.fund()).status).toBe(402)
  const paid = await payingBy('good@example.test')
  expect((await paid.fund()).status).toBe(200)
  await t.advance(1)
  expect([await toldOf(declined.id), await toldOf(paid.id)]).toEqual([[], []])
})

test('a payment of a campaign that an admin cancels will go back, as the owner reads at once', async () => {
  const { id, fund } = await payingBy('slow@example.test')
  await fund()
  await admin.call('POST', `/campaigns/${id}/cancel`)
  const [told] = await t.look<{ text: string }>(
    `select text from notifications where about_id = $1 and kind = 'CAMPAIGN_CANCELLED_OWNER'`,
    [id],
  )
  expect(told?.text.split('”. ')[1]).toBe(
    'If the payment that you have started goes through, we refund all of it to you.',
  )
})
