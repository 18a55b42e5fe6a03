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
  description: 'Every error response.',
  properties: {
    statusCode: { type: 'integer', description: 'The HTTP status.' },
    code: { type: 'string', description: 'Stable, for programs to rely on.' },
    message: { type: 'string', description: 'A sentence for people to read.' },
    fields: {
      type: 'object',
      description: 'What is wrong with each field, by its dotted path.',
      additionalProperties: { type: 'string' },
    },
    requestId: { type: 'string', format: 'uuid', description: 'Identifies the request when you contact support.' },
    challenge: { type: 'string', description: 'The challenge to answer with a second factor, if one is required.' },
    factors: {
      type: 'array',
      description: 'The factors that can answer the challenge.',
      items: { type: 'string', enum: [...factors] },
    },
    passkeyRequest: {
      type: ['object', 'null'],
      description: 'WebAuthn’s PublicKeyCredentialRequestOptionsJSON; null if the user has no passkey.',
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
    description: 'Identifies this answer, for this caller only. The same tag means the same answer.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[\\w-]+"$' },
  },
  Position: {
    description:
      'The position of your write; sent only if reads may be served by replicas of the database. Send the greatest one of the last minute with your reads.',
    schema: { type: 'string', pattern: '^[0-9A-F]{16}$' },
  },
  RetryAfter: { description: 'How many seconds to wait before trying again.', schema: { type: 'integer', minimum: 0 } },
  Authenticate: { description: 'How to sign in.', required: true, schema: { type: 'string', const: 'Bearer' } },
} satisfies Record<string, Header>

export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Any string, a new one for each operation. A request repeated with the same key takes effect once, and gets the first answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: '0d9c2c4e-5d0b-4a67-8a53-0f2e6b1c7d11',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of an answer that you have. Answered with 304 while nothing has changed. A list of tags, or `*`, is accepted too.',
    schema: { type: 'string' },
    example: '"KQ3bBzvJ4o1mHk0qk6yVxTqHf2c"',
  },
  Position: {
    name: 'Fieldtest-Position',
    in: 'header',
    required: false,
    description:
      'Allows the answer to come from a replica of the database that has everything up to this position, which an earlier answer gave, ' +
      'or `0000000000000000`. Without it, the answer is current.',
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
