import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { clock as time, daysAfter } from '../../kit/clock.ts'
import type { Continuity, TesterRun } from '../contract.ts'
import { RunTable } from './RunTable.tsx'

const runOf = (ordinal: number, facts: Partial<TesterRun>): TesterRun => ({
  id: `t${ordinal}`,
  alias: `Tester ${ordinal}`,
  status: 'VERIFIED',
  listedAt: null,
  notLetIn: false,
  ndaAwaited: false,
  optedInAt: daysAfter(time.now(), -8),
  optedOutAt: null,
  ended: null,
  dropped: null,
  confirmedAt: null,
  contested: null,
  runDays: 8,
  counts: true,
  sharesAccountWith: [],
  atRisk: false,
  accountDeleted: false,
  earliestDateWithout: null,
  daysKept: null,
  ...facts,
})

test.each([
  ['EMAIL_LIST', 'still on your list'],
  ['GOOGLE_GROUP', 'still in your Google Group'],
] as const)(
  'who deleted the account is marked while the run lasts, and not folded away on a phone: %s',
  (accessMode, where) => {
    const others = [3, 4, 5, 6, 7].map(ordinal => runOf(ordinal, {}))
    const ended = { optedOutAt: time.now(), ended: 'LEFT', counts: false } as const
    const testers = [runOf(1, { accountDeleted: true }), runOf(2, { accountDeleted: true, ...ended }), ...others]
    const clock = { accessMode, testers, requiredTesters: 12, requiredDays: 14, earliestDate: null, earliestAt: null }
    render(<RunTable clock={clock as unknown as Continuity} ended={false} />)
    expect(screen.getAllByText('Account deleted').map(badge => badge.closest('th')?.textContent)).toEqual([
      `Tester 1Account deleted${where}`,
    ])
    screen.getByRole('button', { name: 'Show 5 more without a break' })
  },
)

test('who shares a Google account is said at both testers, and neither is folded away on a phone', () => {
  const others = [3, 4, 5, 6, 7].map(ordinal => runOf(ordinal, {}))
  const pair = [
    runOf(1, { sharesAccountWith: ['Tester 2'] }),
    runOf(2, { sharesAccountWith: ['Tester 1'], counts: false }),
  ]
  const clock = { accessMode: 'EMAIL_LIST', testers: [...pair, ...others], requiredTesters: 12, requiredDays: 14 }
  render(<RunTable clock={{ ...clock, earliestDate: null, earliestAt: null } as unknown as Continuity} ended={false} />)
  const said = screen.getAllByText(/Same Google account as/)
  expect(said.map(words => words.closest('tr')?.querySelector('th')?.textContent)).toEqual(['Tester 1', 'Tester 2'])
  expect(said[1]!.textContent).toContain('Same Google account as Tester 1: Google Play counts it once.')
  screen.getByRole('button', { name: 'Show 5 more without a break' })
})
