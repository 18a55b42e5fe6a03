/** What a tester reads of a rejection: whose side the admin who decides on an appeal looks at. */
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { CampaignTester } from '../contract.ts'
import { RejectedNews } from './RejectedNews.tsx'

afterEach(cleanup)

const shown = (byAdmin: boolean, appealed: boolean, code = 'OTHER') => {
  const appeal = { at: '2026-11-22T09:00:00.000Z', reason: 'It shows your app.', attachments: [], outcome: null }
  const test1 = {
    id: 't1',
    status: appealed ? 'APPEALED' : 'REJECTED',
    review: { code, reason: 'It is another app.', note: null, decidedAt: appeal.at, byAdmin },
    appeal: appealed ? appeal : null,
    deadlineAt: null,
    campaign: { payPerTesterCents: 1000 },
    actions: appealed ? [] : ['appeal'],
  } as unknown as CampaignTester
  return render(<RejectedNews of={test1} />).container.textContent
}

test('a rejection names its problem, except for one that says nothing', () => {
  expect(shown(false, false, 'DEVICE_MISMATCH')).toContain('Your proof was rejected: device does not match')
  expect(shown(false, false)).toContain('Your proof was rejectedIt is another app.')
})

test('against a developer’s rejection both sides are looked at, against an admin’s only what the tester says', () => {
  expect(shown(false, false)).toContain('An admin then looks at both sides and decides.')
  expect(shown(true, false)).toContain('An admin then looks at it again and decides.')
  expect(shown(false, true)).toContain('They see your proof and what you and the developer say.')
  expect(shown(true, true)).toContain('They see your proof and what you say.')
})
