import { expect, test } from 'vitest'
import { ApiError, isMissing, isRefusal, isUncertain, messageOf } from './apiError.ts'

const failed = (status: number) => new ApiError(status, 'No.')
/** Looks like an ApiError, but is none. */
const lookalike = (status: number) => Object.assign(new Error('No.'), { status })

test('an error has everything that the answer said', () => {
  const more = {
    code: 'CAMPAIGN_FULL' as const,
    fields: { title: 'Too long' },
    requestId: 'r1',
    worded: false,
    factorRequest: { challenge: 'c1', factors: [], passkeyRequest: null },
    cause: new Error('lost'),
  }
  const { name, message, status, code, fields, requestId, worded, factorRequest, cause } = new ApiError(
    409,
    'No.',
    more,
  )
  expect({ name, message, status }).toEqual({ name: 'ApiError', message: 'No.', status: 409 })
  expect({ code, fields, requestId, worded, factorRequest, cause }).toEqual(more)
})

test('what the answer did not say gets a default, and the message counts as worded', () => {
  const { code, fields, requestId, worded, factorRequest } = failed(500)
  expect([code, fields, requestId, worded, factorRequest]).toEqual(['UNKNOWN', {}, null, true, null])
})

test.each([
  [0, false],
  [399, false],
  [400, true],
  [499, true],
  [500, false],
])('a call that failed with %i was refused: %s', (status, refused) => {
  expect(isRefusal(failed(status))).toBe(refused)
})

test.each([0, 401, 429, 500, 503])('after %i it is uncertain whether the work was done', status => {
  expect(isUncertain(failed(status))).toBe(true)
})

test.each([400, 402, 403, 404, 409, 428, 430])('after %i it is certain that the work was not done', status => {
  expect(isUncertain(failed(status))).toBe(false)
})

test.each([
  [399, false],
  [400, true],
  [401, false],
  [403, false],
  [404, true],
  [405, false],
  [500, false],
])('something answered with %i does not exist for its reader: %s', (status, missing) => {
  expect(isMissing(failed(status))).toBe(missing)
})

test('an error that is no failed call is neither a refusal nor missing, and leaves uncertain what was done', () => {
  expect([lookalike(404), new Error('No.'), null].map(isRefusal)).toEqual([false, false, false])
  expect([lookalike(404), new Error('No.'), null].map(isMissing)).toEqual([false, false, false])
  expect([lookalike(404), new Error('No.'), null].map(isUncertain)).toEqual([true, true, true])
})

const unworded = new ApiError(502, 'HTTP 502', { worded: false })

test.each([
  ['the answer’s own words', failed(409), 'It failed.', 'No.'],
  ['those of the screen where the answer has none', unworded, 'It failed.', 'It failed.'],
  ['the status where neither has any', unworded, undefined, 'HTTP 502'],
  ['the words of any other error', new Error('Broken.'), 'It failed.', 'Broken.'],
  ['those of the screen where the error has none', new Error(''), 'It failed.', 'It failed.'],
  ['a sentence for all cases where there are none at all', new Error(''), undefined, /^Something went wrong/],
  ['no words of what is no error', { message: 'Broken.' }, undefined, /^Something went wrong/],
])('people read %s', (_what, error, otherwise, words) => {
  expect(messageOf(error, otherwise)).toMatch(words)
})
