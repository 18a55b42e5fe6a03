import { expect, test } from 'vitest'
import { amountWithin } from './withdrawalSchema.ts'

const schema = amountWithin({ balanceCents: 5000, minimumWithdrawalCents: 1000 })
const messagesOf = (amountCents: unknown) =>
  schema.safeParse({ amountCents }).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

test.each([1000, 1001, 4999, 5000])('%i cents, from the minimum to the whole balance, can be withdrawn', cents => {
  expect(schema.parse({ amountCents: cents })).toEqual({ amountCents: cents })
})

test.each([
  [999, 'amountCents: Minimum withdrawal amount is $10'],
  [5001, 'amountCents: Insufficient balance'],
  [Number.NaN, 'amountCents: Enter an amount such as 10.00'],
])('an amount of %d cents is refused at its field, with the reason', (cents, message) => {
  expect(messagesOf(cents)).toEqual([message])
})

test.each([['2000'], [undefined], [null]])('%o is no amount', value => expect(messagesOf(value)).toHaveLength(1))
