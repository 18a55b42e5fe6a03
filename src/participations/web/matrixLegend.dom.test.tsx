import { render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { setReaderZone } from '../../kit/clock.ts'
import { MatrixLegend } from './MatrixLegend.tsx'

afterEach(() => setReaderZone(undefined))

const now = '2026-11-05T16:00:00.000Z'
const inZone = (timeZone: string, closedAt: string | null = null) => ({
  timeZone,
  closedAt,
  campaign: { dailyCheckIn: true },
})
const east = inZone('Asia/Tokyo')
const west = inZone('America/New_York')
const note = 'Days are in each tester’s time zone'

test.each([
  ['the developer’s own', [east], []],
  ['another zone', [west], [note]],
  ['zones with different days', [east, west], ['Not started yet', note]],
  ['another zone, in which nobody tests anymore', [west, inZone('Asia/Tokyo', now)], [note]],
])('testers of %s', (_, testers, words) => {
  setReaderZone('Asia/Tokyo')
  render(<MatrixLegend of={testers} now={now} />)
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(items.filter(item => [note, 'Not started yet'].includes(item ?? ''))).toEqual(words)
})
