import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { BugSummary } from '../contract.ts'
import { RetestBadge } from './BugBadges.tsx'

const asked = { version: '1.2', askedAt: '2026-11-21T10:00:00.000Z', answeredAt: null, withdrawnAt: null }
const works = { ...asked, result: 'WORKS' }
const broken = { ...asked, result: 'STILL_BROKEN' }

test.each([
  ['asked', { status: 'FIXED', retest: { ...asked, result: null } }, 'Retest requested'],
  ['asked who has left since', { status: 'FIXED', canTestAgain: false, retest: { ...asked, result: null } }, ''],
  ['works', { status: 'FIXED', retest: works }, 'Works now'],
  ['works, open again', { status: 'OPEN', retest: works }, ''],
  [
    'a duplicate of a fixed bug works',
    { status: 'DUPLICATE', duplicateOf: { status: 'FIXED' }, retest: works },
    'Works now',
  ],
  ['its original is open again', { status: 'DUPLICATE', duplicateOf: { status: 'CONFIRMED' }, retest: works }, ''],
  ['still broken, so open again', { status: 'CONFIRMED', retest: broken }, 'Still broken'],
])('%s', (_, bug, words) => {
  const { container } = render(
    <RetestBadge of={{ duplicateOf: null, canTestAgain: true, ...bug } as unknown as BugSummary} />,
  )
  expect(container.textContent).toBe(words)
})
