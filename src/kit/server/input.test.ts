import { expect, test } from 'vitest'
import { z } from 'zod'
import { parse } from './input.ts'

const said = (schema: z.ZodType, value: unknown) => {
  try {
    return parse(z.object({ cents: schema }), { cents: value }, 'body')
  } catch (error) {
    return (error as Error).message
  }
}

test('a bound that excludes the number itself is described as such', () => {
  expect(said(z.number().positive(), 0)).toBe('The field "cents" must be more than 0.')
  expect(said(z.number().nonnegative(), -1)).toBe('The field "cents" must be at least 0.')
  expect(said(z.number().lt(5), 5)).toBe('The field "cents" must be less than 5.')
  expect(said(z.number().max(5), 6)).toBe('The field "cents" may be at most 5.')
})
