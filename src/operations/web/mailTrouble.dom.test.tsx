/** Admins see on the page that no emails go out: from which server, since when, why, and how many wait. */
import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { Operations } from '../contract.ts'
import { OperationsPage } from './OperationsPage.tsx'

provideCalls(endpointTable)
afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
const quiet: Operations = {
  checks: [],
  checkingSince: null,
  checksRunNextAt: hourAgo,
  queues: [],
  money: [],
  moneyWatch: null,
  backup: null,
  backupsRefused: null,
  mailTrouble: null,
  breaches: [],
  provider: null,
  pause: null,
  downtimes: [],
}
const show = async (operations: Operations) => {
  stubNetwork().answer = () => Response.json(operations)
  render(<OperationsPage />, { wrapper: Queries })
  await screen.findAllByText('Data checks')
}

test('an alarm of emails names the server, since when, the reason, and how many emails wait', async () => {
  const reason = 'Greeting never received'
  await show({ ...quiet, mailTrouble: { server: 'web-2', since: hourAgo, reason, waiting: 12 } })
  const { textContent } = screen.getByRole('alert')
  expect(textContent).toMatch(
    /^Emails cannot be sentOn server web-2, the first failed 1 hour ago: Greeting never received/,
  )
  expect(textContent).toContain('12 emails waiting. Each is retried for about two days.')
})

test('without an alarm the page says nothing of emails', async () => {
  await show(quiet)
  expect(screen.queryByText(/emails?/i)).toBeNull()
})
