import { fireEvent, render, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { withDialogs } from '../../testing/web/dialogs.ts'
import { BanUserDialog } from './BanUserDialog.tsx'
import { MessageDialog } from './MessageDialog.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'
import { peopleKeys } from './keys.ts'

withDialogs()
provideCalls(endpointTable)

const message = 'Another admin was first.'
const user = { id: 'u1', name: 'Ada' }

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  stubNetwork().answer = () => Response.json({ code: 'WRONG_STATE', message }, { status: 409 })
  queryClient.setQueryData(peopleKeys.one('u1'), {})
})
afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test.each<[string, ReactElement]>([
  ['Suspend User', <BanUserDialog key="" user={user} onClose={() => {}} />],
  ['Restore User', <RestoreDialog key="" user={user} onClose={() => {}} />],
])(
  'after %s was refused, the user is loaded again, because another admin may have been first',
  async (name, dialog) => {
    render(dialog, { wrapper: Queries })
    fireEvent.change(await screen.findByLabelText('Reason'), { target: { value: 'Two accounts on one device.' } })
    fireEvent.click(screen.getByRole('button', { name }))
    await screen.findByText(message)
    expect(queryClient.getQueryState(peopleKeys.one('u1'))?.isInvalidated).toBe(true)
  },
)

test.each([
  ['ACTIVE', /and by email unless they turned that off/],
  ['SUSPENDED', /is suspended, so we will email this immediately/],
] as const)('the message dialog for a user who is %s says how they will get it', async (status, words) => {
  render(<MessageDialog user={{ ...user, status }} onClose={() => {}} />, { wrapper: Queries })
  expect((await screen.findByText(words)).isConnected).toBe(true)
})
