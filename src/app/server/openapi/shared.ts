/** What many operations share: the shape of errors, headers, the idempotency key. */
import { type ErrorCode, errorStatus } from '../../../kit/errors.ts'
import { factors } from '../../../kit/secondFactor.ts'
import { errorWords } from './errors.ts'
import type { JsonSchema } from './schemas.ts'

export type Header = { description: string; required?: boolean; schema: JsonSchema }
export type Response = {
  $ref?: string
  description: string
  headers?: Record<string, { $ref: string }>
  /** By media type; files have no schema. */
  content?: Record<string, { schema?: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }>
}

export const refTo = (
  kind: 'schemas' | 'responses' | 'headers' | 'parameters',
  name: string,
): { $ref: string; description: never } => ({ $ref: `#/components/${kind}/${name}` }) as never

const requestId = '5f0c2f3e-3b2a-4f6e-9c1d-7a8b9c0d1e2f'

/** The shape of every refusal (product.md §5). */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Every refusal.',
  properties: {
    statusCode: { type: 'integer', description: 'The HTTP status.' },
    code: { type: 'string', description: 'Stable; what a program decides by.' },
    message: { type: 'string', description: 'A sentence for people.' },
    fields: {
      type: 'object',
      description: 'What is wrong with each field, by its dotted path.',
      additionalProperties: { type: 'string' },
    },
    requestId: { type: 'string', format: 'uuid', description: 'For questions to support.' },
    challenge: { type: 'string', description: 'What to answer with a second factor, where one is asked for.' },
    factors: {
      type: 'array',
      description: 'The factors that the challenge can be answered with.',
      items: { type: 'string', enum: [...factors] },
    },
    passkeyRequest: {
      type: ['object', 'null'],
      description: 'WebAuthn’s PublicKeyCredentialRequestOptionsJSON; null without a passkey.',
    },
  },
  required: ['statusCode', 'code', 'message', 'requestId'],
}

export const headers = {
  RequestId: {
    description: 'The id of this request in our log.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  ServerTime: { description: 'The server’s clock.', schema: { type: 'string', format: 'date-time' } },
  NextPage: {
    description: 'The address of the next page (RFC 8288), with the same filters; absent on the last one.',
    schema: { type: 'string', pattern: '^</api/v1/[^>]+>; rel="next"$' },
  },
  OtherPages: {
    description:
      'The addresses of the next page, the one before and the first (RFC 8288), with the same filters. There is no next ' +
      'one on the last page, and neither of the others on the first; a list of one page has no such header.',
    schema: {
      type: 'string',
      pattern: '^</api/v1/[^>]+>; rel="(next|prev|first)"(, </api/v1/[^>]+>; rel="(prev|first)"){0,2}$',
    },
  },
  Tag: {
    description: 'Names this answer, for you alone. The same tag is the same answer.',
    required: true,
    schema: { type: 'string', pattern: '^"[\\w-]+"$' },
  },
  Position: {
    description:
      'Where your write stands; only where reads may come from copies of the database. Send the greatest of the last minute with reads.',
    schema: { type: 'string', pattern: '^[0-9A-F]{16}$' },
  },
  RetryAfter: { description: 'Seconds until another try makes sense.', schema: { type: 'integer', minimum: 0 } },
  Authenticate: { description: 'How to sign in.', required: true, schema: { type: 'string', const: 'Bearer' } },
} satisfies Record<string, Header>

export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Any string, new for each thing to be done: a repeated request takes effect once, and gets the first answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: '0d9c2c4e-5d0b-4a67-8a53-0f2e6b1c7d11',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of an answer that you have: 304 while it still holds. Several, or `*`, are understood too.',
    schema: { type: 'string' },
    example: '"KQ3bBzvJ4o1mHk0qk6yVxTqHf2c"',
  },
  Position: {
    name: 'Fieldtest-Position',
    in: 'header',
    required: false,
    description:
      'The answer may come from a copy of the database that knows of everything up to this place, which an earlier answer named, ' +
      'or `0000000000000000`. Without it, the answer is of this moment.',
    schema: { type: 'string' },
    example: '00000001016B3748',
  },
} as const

const exampleOf = (code: ErrorCode) => {
  const { message, fields } = errorWords[code]
  return { statusCode: errorStatus[code], code, message, ...(fields && { fields }), requestId }
}

/** The response for one status, with all codes that it may carry. */
export const responseOf = (status: number, codes: readonly ErrorCode[]): Response => ({
  description: codes.map(code => `${codes.length > 1 ? `\`${code}\`: ` : ''}${errorWords[code].when}`).join(' '),
  headers: {
    'X-Request-Id': refTo('headers', 'RequestId'),
    ...(status === 401 && { 'WWW-Authenticate': refTo('headers', 'Authenticate') }),
    ...((status === 429 || status === 503) && { 'Retry-After': refTo('headers', 'RetryAfter') }),
  },
  content: {
    'application/json': {
      schema: {
        allOf: [
          refTo('schemas', 'Error'),
          { properties: { statusCode: { const: status }, code: { enum: [...codes] } } },
        ],
      },
      examples: Object.fromEntries(codes.map(code => [code, { value: exampleOf(code) }])),
    },
  },
})
