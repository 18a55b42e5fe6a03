import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { CampaignTester } from '../contract.ts'
import { EarlierReview, reviewTitle } from './Evidence.tsx'

const note = 'Show the settings, too.'
const reviewed = (status: string, more: object = {}) =>
  ({
    status,
    changesRequested: 1,
    appeal: null,
    review: { note, code: null, reason: null, decidedAt: '2026-11-22T08:00:00.000Z', bySilence: false, ...more },
  }) as unknown as CampaignTester

test.each([
  ['SUBMITTED', {}, 'Changes requested', note],
  ['VERIFIED', {}, 'Review', `Changes requested before:${note}`],
  ['VERIFIED', { note: null }, 'Review', 'Reviewed'],
  ['REJECTED', { code: 'OTHER', reason: 'It is another app.' }, 'Review', 'It is another app.'],
])('of a test that is %s, a request for changes is not shown as the final review', (status, more, title, words) => {
  const of = reviewed(status, more)
  const { container } = render(<EarlierReview of={of} />)
  expect([reviewTitle(of), container.textContent]).toEqual([title, expect.stringContaining(words)])
  expect(container.textContent?.includes('requested before')).toBe(words.startsWith('Changes requested before'))
})
