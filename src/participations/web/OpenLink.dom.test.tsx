import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { CampaignTester } from '../contract.ts'
import { OpenLink } from './OpenLink.tsx'

provideCalls(endpointTable)

const test1 = { id: 't1', actions: ['optIn'], nextStep: 'OPT_IN', run: null } as unknown as CampaignTester

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  stubNetwork().answer = () => Response.json({ message: 'Not now.' }, { status: 409 })
})
afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test.each([
  ['EMAIL_LIST', true, 'The developer has not confirmed yet that you are on the list.'],
  ['EMAIL_LIST', false, 'The developer says that you are on the list.'],
  ['GOOGLE_GROUP', true, 'The developer has not confirmed yet that you are in the Google Group.'],
  ['GOOGLE_GROUP', false, 'The developer says that you are in the Google Group.'],
  ['EMAIL_LIST', 'reported', 'The developer was asked to check that you are on the list.'],
])('whoever has opened the link reads how it stands, with %s, waiting: %s', async (accessMode, waits, words) => {
  stubNetwork().answer = () => Response.json({ url: 'https://play.google.com/x', playEmail: null, groupLink: null })
  const noAccess = waits === 'reported' ? { reports: 1, at: '2026-11-20T10:00:00.000Z', mayReportAt: null } : null
  const of = { ...test1, campaign: { accessMode }, waiting: waits ? {} : null, noAccess } as unknown as CampaignTester
  render(
    <MemoryRouter>
      <OpenLink of={of} primary={false} />
    </MemoryRouter>,
    { wrapper: Queries },
  )
  fireEvent.click(screen.getByRole('button', { name: 'Show the link and your account' }))
  expect((await screen.findByText(words, { exact: false })).isConnected).toBe(true)
})

const openedBy = async (more: Record<string, unknown>) => {
  stubNetwork().answer = () => Response.json({ url: 'https://play.google.com/x', playEmail: null, groupLink: null })
  const of = { ...test1, campaign: { accessMode: 'EMAIL_LIST' }, waiting: null, runs: [], ...more }
  const { container } = render(
    <MemoryRouter>
      <OpenLink of={of as unknown as CampaignTester} primary={false} />
    </MemoryRouter>,
    { wrapper: Queries },
  )
  fireEvent.click(screen.getByRole('button', { name: 'Show the link and your account' }))
  await screen.findByText('Google Play says the app is not available?')
  return container.textContent
}

const reportedTwice = {
  noAccess: { reports: 2, at: '2026-03-01T10:00:00.000Z', problem: 'NOT_FOUND', mayReportAt: null },
}

test.each([
  ['never opted in', [], true],
  ['opted in only as an admin decided never was', [{ voided: true }], true],
  ['opted in, and then out', [{ voided: true }, { voided: false }], false],
])('whoever has reported twice, and has %s, may leave without its counting: %j, %s', async (_what, runs, may) => {
  const text = await openedBy({ ...reportedTwice, runs })
  expect(text.includes('it does not count against you')).toBe(may)
})

test('whoever has reported is not told that the developer never confirmed the list', async () => {
  const text = await openedBy({ ...reportedTwice, waiting: {} })
  expect(text).toContain(
    'The developer was asked to check that you are on the list. We will tell you when to try again.',
  )
  expect(text).not.toContain('has not confirmed yet')
})

test.each(['Show the link and your account', 'I have opted in'])('a refusal is announced: %s', async button => {
  render(<OpenLink of={test1} primary />, { wrapper: Queries })
  fireEvent.click(await screen.findByRole('button', { name: button }))
  expect((await screen.findByRole('alert')).textContent).toBe('Not now.')
})
