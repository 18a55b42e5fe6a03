/**
 * What the document of 2023 lacks for the calls that the product makes, taken from the types of the SDK (23.1.0, API version
 * 2026-10-28.endive). New parameters are added to calls that the document has; other calls are defined here.
 */
type Schema = Record<string, unknown>

const text = { type: 'string', maxLength: 5000 }
const integer = { type: 'integer' }
const metadata = { anyOf: [{ type: 'object', additionalProperties: { type: 'string' } }, { enum: [''] }] }
const expand = { type: 'array', items: text }
const range = {
  anyOf: [
    {
      type: 'object',
      additionalProperties: false,
      properties: { gt: integer, gte: integer, lt: integer, lte: integer },
    },
    integer,
  ],
}
const page = { limit: { type: 'integer', minimum: 1, maximum: 100 }, starting_after: text, ending_before: text, expand }
const object = (properties: Schema, required: string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})

/** Checkout.SessionListParams; SessionCreateParams lost `payment_method_types` and gained the two below. */
export const moreParameters: Record<string, Schema> = {
  'GET /v1/checkout/sessions': { created: range, status: { enum: ['complete', 'expired', 'open'] } },
  'POST /v1/checkout/sessions': {
    adaptive_pricing: object({ enabled: { type: 'boolean' } }),
    allowed_payment_method_types: { type: 'array', items: text },
  },
}

/** SessionCreateParams of 23.1.0 no longer has these. */
export const goneParameters: Record<string, string[]> = {
  'POST /v1/checkout/sessions': ['payment_method_types'],
}

const accountInclude = {
  type: 'array',
  items: {
    enum: [
      'configuration.customer',
      'configuration.merchant',
      'configuration.recipient',
      'defaults',
      'future_requirements',
      'identity',
      'requirements',
    ],
  },
}

const linkFlow = object(
  {
    refresh_url: text,
    return_url: text,
    collection_options: object({
      fields: { enum: ['currently_due', 'eventually_due'] },
      future_requirements: { enum: ['include', 'omit'] },
    }),
  },
  ['refresh_url'],
)

export const moreOperations: Record<string, Schema> = {
  'GET /v1/charges': object({ payment_intent: text, transfer_group: text, customer: text, created: range, ...page }),
  'GET /v1/charges/{charge}': object({ expand }),
  'GET /v1/transfers/{transfer}': object({ expand }),
  'POST /v1/transfers/{transfer}/reversals': object({
    amount: integer,
    description: text,
    expand,
    metadata,
    refund_application_fee: { type: 'boolean' },
  }),
  'GET /v1/balance_transactions': object({
    created: range,
    currency: text,
    payout: text,
    source: text,
    type: text,
    ...page,
  }),
  'GET /v1/balance_transactions/{id}': object({ expand }),
  'GET /v1/disputes': object({ charge: text, payment_intent: text, created: range, ...page }),
  'GET /v1/disputes/{dispute}': object({ expand }),
  'POST /v1/accounts/{account}/login_links': object({ expand }),
  'POST /v2/core/accounts': object({
    configuration: object({
      recipient: object({
        capabilities: object({
          stripe_balance: object({ stripe_transfers: object({ requested: { type: 'boolean' } }, ['requested']) }),
        }),
      }),
    }),
    contact_email: text,
    dashboard: { enum: ['express', 'full', 'none'] },
    defaults: object({
      currency: text,
      locales: { type: 'array', items: text },
      profile: object({ business_url: text, doing_business_as: text, product_description: text }),
      responsibilities: object(
        {
          fees_collector: { enum: ['application', 'application_custom', 'application_express', 'stripe'] },
          losses_collector: { enum: ['application', 'stripe'] },
        },
        ['fees_collector', 'losses_collector'],
      ),
    }),
    display_name: text,
    identity: object({ country: text, entity_type: text }),
    include: accountInclude,
    metadata: { type: 'object', additionalProperties: { type: 'string' } },
  }),
  'GET /v2/core/accounts/{account}': object({ include: accountInclude }),
  'POST /v2/core/account_links': object(
    {
      account: text,
      use_case: object(
        {
          type: { enum: ['account_onboarding', 'account_update'] },
          account_onboarding: linkFlow,
          account_update: linkFlow,
        },
        ['type'],
      ),
    },
    ['account', 'use_case'],
  ),
}
