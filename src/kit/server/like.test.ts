import { expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { autocommit, sql } from './db.ts'
import { containing } from './like.ts'

testApp()

test.each([
  ['100 % sure', '%', true],
  ['100 sure', '%', false],
  ['snake_case', 'e_c', true],
  ['snakeXcase', 'e_c', false],
  [String.raw`C:\notes`, String.raw`\n`, true],
  ['C:notes', String.raw`\n`, false],
  ['ends with %', String.raw`\%`, false],
])('%j contains %j: %j', async (text, words, expected) => {
  expect(await autocommit.value(sql`select ${text} like ${containing(words)}`)).toBe(expected)
})
