/** When another admin was first, the dialog shows the server's refusal, and the screen reloads. */
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { notify } from '../../kit/web/ui/toast.tsx'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { withDialogs } from '../../testing/web/dialogs.ts'
import type { Operations } from '../contract.ts'
import { Checks } from './Checks.tsx'
import { GoOnDialog } from './GoOnDialog.tsx'
import { PausedBanner } from './Pause.tsx'
import { PauseDialog } from './PauseDialog.tsx'
import { operationsKeys } from './keys.ts'

withDialogs()
provideCalls(endpointTable)

const message = 'Another admin was first.'
const isOutOfDate = () => queryClient.getQueryState(operationsKeys.current)?.isInvalidated

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  stubNetwork().answer = () => Response.json({ code: 'WRONG_STATE', message }, { status: 409 })
  queryClient.setQueryData(operationsKeys.current, {})
})
afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const at = '2026-11-21T10:00:00.000Z'
const pause = { reason: 'ADMIN', note: 'A look', since: at, by: 'Ada', reconciledAt: null } as const
const idle = { checks: [], breaches: [], checkingSince: null, checksRunNextAt: at, moneyWatch: null }

test.each([
  ['Resume jobs', <PausedBanner key="" of={pause} />],
  ['Run now', <Checks key="" of={idle as unknown as Operations} />],
])('a refusal of “%s” is shown, and the screen reloads', async (name, banner) => {
  const told = vi.spyOn(notify, 'error').mockReturnValue()
  render(banner, { wrapper: Queries })
  fireEvent.click(screen.getByRole('button', { name }))
  await waitFor(() => expect([told.mock.calls, isOutOfDate()]).toEqual([[[message]], true]))
})

const breachIds = ['0199e3a5-0000-7000-8000-000000000001']

test.each([
  ['Pause jobs', 'Reason', <PauseDialog key="" onClose={() => {}} />],
  ['Resume withdrawals', 'Why withdrawals can resume', <GoOnDialog key="" breachIds={breachIds} onClose={() => {}} />],
])('a refusal in the dialog “%s” is shown, and the screen reloads once it is closed', async (name, label, dialog) => {
  render(dialog, { wrapper: Queries })
  fireEvent.change(await screen.findByLabelText(label), { target: { value: 'We looked at the rows and it is safe.' } })
  fireEvent.click(screen.getByRole('button', { name }))
  await screen.findByText(message)
  // While the admin reads it, nothing closes the dialog.
  expect(isOutOfDate()).toBe(false)
  fireEvent.click(screen.getByText('Close'))
  await waitFor(() => expect(isOutOfDate()).toBe(true))
})
