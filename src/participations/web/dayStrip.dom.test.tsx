import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { setReaderZone } from '../../kit/clock.ts'
import type { CampaignTester } from '../contract.ts'
import { DayStrip } from './DayStrip.tsx'

afterEach(() => {
  cleanup()
  setReaderZone(undefined)
})

const inTokyo = {
  begunAt: '2026-11-01T16:00:00.000Z',
  closedAt: null,
  timeZone: 'Asia/Tokyo',
  checkIns: [],
  runs: [],
  campaign: { durationDays: 14, dailyCheckIn: true },
} as unknown as CampaignTester

test.each([
  ['the reader’s own', 'Asia/Tokyo', 0],
  ['another one', 'America/New_York', 1],
])('a strip of days says so where its time zone is not the reader’s: %s', (_, zone, said) => {
  setReaderZone(zone)
  render(<DayStrip of={inTokyo} />)
  expect(screen.queryAllByText('Days are in the tester’s time zone')).toHaveLength(said)
})
