/** Compares the fake's answers with the shapes in Stripe's document, where it has them. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stripeDocument } from './document.ts'
import { type StripeFake, startStripeFake } from './fake.ts'

let fake: StripeFake
let stripe: Stripe

beforeAll(async () => {
  fake = await startStripeFake({ pendingDays: 0 })
  stripe = new Stripe(fake.secretKey, { ...fake.address, maxNetworkRetries: 0 })
})
afterAll(() => fake.stop())

/** Fields that the newer version has renamed or removed. */
const changed: Record<string, string[]> = {
  'checkout.session': ['payment_method_types', 'shipping_options', 'custom_fields', 'custom_text'],
  payment_intent: ['payment_method_types'],
}

/** Translates `nullable` of OpenAPI 3.0 into JSON Schema. */
const withNulls = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withNulls)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([name, value]) => [name, withNulls(value)] as const)
  const { nullable, ...rest } = Object.fromEntries(entries)
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest
}

test('each object has the fields that the document requires, with the right types', async () => {
  const ajv = new Ajv2020({ strict: false, formats: { 'unix-time': true, currency: true, decimal: true } })
  ajv.addSchema(withNulls(stripeDocument) as object, 'stripe')
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://example.test',
    line_items: [{ quantity: 2, price_data: { currency: 'usd', unit_amount: 5000, product_data: { name: 'Tests' } } }],
  })
  const payment_intent = fake.pay(session.id)
  await stripe.refunds.create({ payment_intent, amount: 100 })
  const account = await stripe.v2.core.accounts.create({
    identity: { country: 'DE' },
    configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
  })
  fake.onboard(account.id)
  await stripe.transfers.create({ amount: 100, currency: 'usd', destination: account.id })
  await stripe.payouts.create({ amount: 100, currency: 'usd' })
  const wrong: string[] = []
  const kinds = ['checkout.session', 'payment_intent', 'refund', 'transfer', 'payout', 'event']
  for (const kind of kinds) {
    const [object] = fake.all(kind)
    const validate = ajv.getSchema(`stripe#/components/schemas/${kind}`)!
    const isRight = validate(object)
    const errors = (isRight === true ? [] : (validate.errors ?? [])).filter(
      ({ instancePath }) => !(changed[kind] ?? []).includes(instancePath.split('/')[1] ?? ''),
    )
    wrong.push(...errors.map(({ instancePath, message }) => `${kind}${instancePath} ${message}`))
  }
  expect(wrong).toEqual([])
})
