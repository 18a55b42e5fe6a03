import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { CampaignTester } from '../contract.ts'
import { Goodwill } from './AppealView.tsx'

test.each([
  ['promises the pay', 1, null, /^Without a decision by .*, the platform pays\.$/],
  [
    'promises none',
    1,
    'LIMIT',
    /^Without a decision by .*, the platform would pay instead, but it cannot yet: our monthly budget/,
  ],
  [
    'says what holds the pay',
    -1,
    'CHECK',
    /^Nobody decided within 7 days, and the platform cannot pay instead yet: our team/,
  ],
] as const)('an appeal that nobody has decided %s, due in %i hours, with the hold %s', (_, hours, hold, words) => {
  const goodwill = { at: hoursAfter(clock.now(), hours), hold }
  render(<Goodwill of={{ outcome: null, goodwill } as CampaignTester['appeal']} />)
  expect(screen.getByText((__, element) => element?.tagName === 'P').textContent).toMatch(words)
})
