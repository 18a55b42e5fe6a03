import { expect, test } from 'vitest'
import { codeOf, featuresTried } from './facts.ts'

test('features are those of the campaign, in its order and each once', () => {
  expect(featuresTried(['Search', 'Notes', 'Share'], ['Share', 'Search', 'Share'])).toEqual(['Search', 'Share'])
  expect(featuresTried([], [])).toEqual([])
  expect(() => featuresTried(['Search'], ['search'])).toThrow('"search" is not on this campaign’s list of features.')
  expect(() => featuresTried([], ['Search'])).toThrow('This campaign has no list of features.')
})

test('a code has six characters that are not taken for others', () => {
  const codes = Array.from({ length: 200 }, (_, first) =>
    codeOf(Uint8Array.from({ length: 32 }, (_byte, n) => (first * 7 + n * 31) % 256)),
  )
  for (const code of codes) expect(code).toMatch(/^[ACDEFGHJKMNPRTUWXY34679]{6}$/)
  expect(new Set(codes.join('')).size).toBe(23)
  expect(codeOf(new Uint8Array(12))).toBe('AAAAAA')
})
