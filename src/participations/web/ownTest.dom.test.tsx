/** What testers are told of their own tests: of no days, and what an opt-out costs. */
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { ndaQuery } from '../../nda/web/face.tsx'
import { stubNetwork } from '../../testing/network.ts'
import { withDialogs } from '../../testing/web/dialogs.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { CampaignTester } from '../contract.ts'
import { CheckIn } from './CheckIn.tsx'
import { DayList } from './DayList.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { NdaStep } from './NdaStep.tsx'
import { OptOutDialog } from './OptOutDialog.tsx'

provideCalls(endpointTable)
withDialogs()
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const ended = '2026-11-21T12:00:00.000Z'
const campaign = {
  id: 'c1',
  title: 'Notes',
  durationDays: 14,
  dailyCheckIn: true,
  dropHours: 48,
  payPerTesterCents: 1000,
  accessMode: 'EMAIL_LIST',
  appliedAt: null as string | null,
}
const own = (more: object = {}) =>
  ({
    id: 't1',
    status: 'ACTIVE',
    joinedAt: '2026-11-21T08:00:00.000Z',
    begunAt: null,
    closedAt: null,
    timeZone: 'UTC',
    checkIns: [],
    runs: [],
    run: null,
    proof: null,
    waiting: null,
    optOuts: 0,
    actions: [],
    campaign,
    ...more,
  }) as unknown as CampaignTester

test.each([
  ['a tester list', {}, 'Your days begin when you opt in on Google Play.'],
  ['an open link', { campaign: { ...campaign, accessMode: 'OPEN_LINK' } }, 'Your days begin when you accept the NDA.'],
  ['an end', { status: 'DROPPED', closedAt: ended }, 'No days were counted.'],
])('a test without days, with %s', (_, more, words) => {
  render(<DayList of={own(more)} />)
  expect(screen.getByRole('region', { name: 'Days, scrollable' }).textContent).toBe(words)
})

test('an opt-out once the owner has applied costs nobody anything', async () => {
  const applied = { ...campaign, appliedAt: '2026-03-20T10:00:00.000Z' }
  render(<OptOutDialog of={own({ status: 'VERIFIED', campaign: applied })} onClose={() => {}} />)
  const said = (await screen.findByRole('dialog')).textContent
  expect(said).toContain('so nobody has to stay')
  expect(said).not.toContain('day 1')
})

test.each([
  ['ACTIVE', 0, 'you lose your seat and your pay.', '1 of 3'],
  ['ACTIVE', 2, 'This is your third opt-out. It gives up your seat', '3 of 3'],
  ['CHANGES_REQUESTED', 4, 'This opt-out gives up your seat', '5'],
  ['SUBMITTED', 3, 'if you come back, they begin at day 1', '4'],
  ['REJECTED', 2, 'You cannot opt in again unless an admin grants your appeal', '3'],
  ['APPEALED', 0, 'You cannot opt in again unless an admin grants your appeal', '1'],
])('an opt-out while %s, after %i others', async (status, optOuts, words, count) => {
  render(<OptOutDialog of={own({ status, optOuts })} onClose={() => {}} />)
  const said = (await screen.findByRole('dialog')).textContent
  expect(said).toContain(words)
  expect(said).toMatch(new RegExp(`Opt-outs with this one${count}(?! of|\\d)`))
})

test('no more days are counted on refusing an NDA than the test has', async () => {
  const nda = { version: 2, accepted: 1, refusalPayCents: 1000 }
  const checkIns = Array.from({ length: 16 }, (_, index) => ({ day: `2026-11-${index + 1}` }))
  render(<LeaveDialog of={own({ nda, checkIns, actions: ['refuseNda'] })} open onOpenChange={() => {}} />)
  expect((await screen.findByRole('dialog')).textContent).toContain('Days checked in14 of 14')
})

test('who has waited a week for the list reads that refusing the NDA pays a day, also where the week ended on the open screen', async () => {
  const since = '2025-11-01T08:00:00.000Z'
  const waiting = { since, mayLeaveAt: '2025-11-08T08:00:00.000Z', endsAt: '2025-11-15T08:00:00.000Z', payCents: 71 }
  const nda = { version: 1, accepted: null, refusalPayCents: 0 }
  queryClient.setQueryData(ndaQuery('c1').queryKey, {
    campaign,
    current: { version: 1, text: 'Tell nobody.', setAt: since },
    accepted: null,
    template: null,
    mayChange: false,
    versions: [],
  })
  render(<NdaStep of={own({ nda, waiting, actions: ['acceptNda', 'refuseNda', 'leave'] })} />, { wrapper: Queries })
  fireEvent.click(await screen.findByRole('button', { name: 'Refuse and leave with $0.71' }))
  expect((await screen.findByRole('dialog')).textContent).toMatch(
    /You waited a week.*You are paid\$0\.71.*Refuse and leave/,
  )
})

test.each([
  [true, 'Days checked in0 of 14'],
  [false, 'Days tested3 of 14'],
])('leaving gives up the days that count, with a daily check-in: %s', async (dailyCheckIn, words) => {
  const terms = { ...campaign, accessMode: 'OPEN_LINK', dailyCheckIn }
  const left = own({ campaign: terms, begunAt: hoursAfter(clock.now(), -84), actions: ['leave'] })
  render(<LeaveDialog of={left} open onOpenChange={() => {}} />)
  expect((await screen.findByRole('dialog')).textContent).toContain(words)
})

test('leaving asks for the pay that the dialog shows, so that nobody leaves for less', async () => {
  const network = stubNetwork()
  const waiting = { mayLeaveAt: '2025-11-08T08:00:00.000Z', payCents: 71 }
  render(<LeaveDialog of={own({ waiting, actions: ['leave'] })} open onOpenChange={() => {}} />)
  fireEvent.click(await screen.findByRole('button', { name: 'Leave test' }))
  await waitFor(() => expect(network.sent.map(({ path }) => path)).toContain('/testers/campaign-testers/t1/leave'))
  expect(network.sent.find(({ path }) => path.endsWith('/leave'))?.body).toEqual({ payCents: 71 })
})

test('who is asked for no check-in any more reads that all days have one, if they do', () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-04T18:00:00.000Z'), toFake: ['Date'] })
  const days = (...all: number[]) =>
    all.map(each => ({ day: `2026-03-0${each}`, at: `2026-03-0${each}T19:00:00.000Z` }))
  const open = {
    campaign: { ...campaign, durationDays: 2, accessMode: 'OPEN_LINK' },
    begunAt: '2026-03-02T19:00:00.000Z',
  }
  const asked = { actions: ['checkIn'], nextStep: null }
  const { container, rerender } = render(<CheckIn of={own({ ...open, ...asked, checkIns: days(2, 3) })} />)
  expect(container.textContent).toBe('Checked in on all 2 days')
  // In two opt-ins, of which the present one has a day without.
  const runs = [
    { startedAt: '2026-03-01T12:00:00.000Z', endedAt: '2026-03-01T20:00:00.000Z', voided: false },
    { startedAt: '2026-03-02T18:30:00.000Z', endedAt: null, voided: false },
  ]
  const again = { campaign: { ...campaign, durationDays: 2 }, runs }
  rerender(<CheckIn of={own({ ...again, ...asked, checkIns: days(1, 2) })} />)
  expect(container.textContent).toBe('No check-in needed today')
})

describe('with a check-in of an opt-in that an admin decided never was', () => {
  const day = new Date().toISOString().slice(0, 10)
  const counted = { day, at: `${day}T00:00:01.000Z` }
  const checkIns = [{ ...counted, voided: true }]

  test('nobody reads that they have checked in today', () => {
    const { container, rerender } = render(<CheckIn of={own({ checkIns: [counted] })} />)
    expect(container.textContent).toBe('Checked in today')
    rerender(<CheckIn of={own({ checkIns })} />)
    expect(container.textContent).toBe('')
  })

  test('refusing an NDA does not count it among the days that are paid', async () => {
    const nda = { version: 2, accepted: 1, refusalPayCents: 0 }
    render(<LeaveDialog of={own({ nda, checkIns, actions: ['refuseNda'] })} open onOpenChange={() => {}} />)
    expect((await screen.findByRole('dialog')).textContent).toContain('Days checked in0 of 14')
  })
})
