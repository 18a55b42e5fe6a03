import { describe, expect, test } from 'vitest'
import { type Plan, preflight } from './preflight.ts'
import { proposedAccess } from './proposedAccess.ts'

const plan: Plan = {
  platform: 'android',
  testersRequired: 12,
  durationDays: 14,
  distributionLink: 'https://play.google.com/apps/testing/com.example',
  accessMode: 'EMAIL_LIST',
}

describe('the preflight', () => {
  test.each(['EMAIL_LIST', 'GOOGLE_GROUP'] as const)(
    'says that 12 testers over 14 days meet Google’s rule: %s',
    accessMode => {
      const advice = preflight({ ...plan, accessMode })
      expect(advice).toMatchObject({ verdict: 'MEETS', title: 'Meets Google’s rule', fix: null })
      expect(advice.sentence).toContain('nobody can promise')
    },
  )

  test.each([
    [11, 14, '11 testers over 14 days'],
    [12, 13, '12 testers over 13 days'],
    [1, 1, '1 tester over 1 day.'],
  ])('says that %i testers over %i days fall short, and what would not', (testersRequired, durationDays, words) => {
    const advice = preflight({ ...plan, testersRequired, durationDays })
    expect(advice.verdict).toBe('FALLS_SHORT')
    expect(advice.sentence).toContain(words)
    expect(advice.fix).toEqual({ testersRequired: 12, durationDays: 14, accessMode: 'EMAIL_LIST' })
  })

  test('leaves what is more than enough', () => {
    const fix = { testersRequired: 20, durationDays: 14, accessMode: 'GOOGLE_GROUP' }
    expect(preflight({ ...plan, testersRequired: 20, durationDays: 3, accessMode: 'GOOGLE_GROUP' }).fix).toEqual(fix)
  })

  test('says of an open link that Google counts closed tests only, and offers the list', () => {
    const advice = preflight({ ...plan, accessMode: 'OPEN_LINK', durationDays: 30 })
    expect(advice).toMatchObject({
      verdict: 'NOT_COUNTED',
      fix: { testersRequired: 12, durationDays: 30, accessMode: 'EMAIL_LIST' },
    })
    expect(advice.sentence).toContain('Google counts closed tests only')
  })

  test('offers no list for a file that testers install by hand', () => {
    const file = { ...plan, accessMode: 'OPEN_LINK', distributionLink: 'https://a.test/App.APK?v=1' } as const
    expect(preflight(file)).toMatchObject({ verdict: 'NOT_COUNTED', fix: null })
  })

  test('names Apple’s guideline 2.2 for every iOS campaign', () => {
    expect(preflight({ ...plan, platform: 'ios', accessMode: 'OPEN_LINK' }).sentence).toContain('guideline 2.2')
  })
})

test.each([
  ['https://play.google.com/apps/testing/com.example', 'android', 'EMAIL_LIST'],
  [' https://PLAY.google.com/store/apps/details?id=a ', 'android', 'EMAIL_LIST'],
  ['https://play.google.com/apps', 'ios', 'OPEN_LINK'],
  ['https://play.google.com.evil.test/apps', 'android', 'OPEN_LINK'],
  ['https://example.test/play.google.com', 'android', 'OPEN_LINK'],
  ['https://', 'android', 'OPEN_LINK'],
  ['', 'android', 'OPEN_LINK'],
] as const)('for %j on %s the form proposes %s', (distributionLink, platform, mode) => {
  expect(proposedAccess({ distributionLink, platform })).toBe(mode)
})
