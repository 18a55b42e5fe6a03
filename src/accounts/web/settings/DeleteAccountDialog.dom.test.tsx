import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { endpointTable } from '../../../app/web/endpointTable.ts'
import { provideCalls } from '../../../kit/web/api.ts'
import { draftKey, provideDrafts } from '../../../kit/web/drafts.ts'
import { session } from '../../../kit/web/session.ts'
import { stubNetwork } from '../../../testing/network.ts'
import { Queries } from '../../../testing/web/Queries.tsx'
import { withDialogs } from '../../../testing/web/dialogs.ts'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'

withDialogs()
provideCalls(endpointTable)
provideDrafts(() => import('../../../app/web/draftsHere.ts'))

const shownWith = (balanceCents: number) => {
  const network = stubNetwork()
  network.answer = () => new Response(null, { status: 204 })
  render(
    <MemoryRouter>
      <DeleteAccountDialog
        balance={({ children }) => children({ balanceCents, minimumWithdrawalCents: 1000 })}
        onClose={vi.fn()}
      />
    </MemoryRouter>,
    { wrapper: Queries },
  )
  const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
  fill('Password', 'Secret-1234')
  fill('Type DELETE to confirm', 'DELETE')
  return network
}
const press = () => fireEvent.click(screen.getByRole('button', { name: 'Delete my account' }))

test('a balance that is too small to withdraw is shown, and its amount is given up only after the user agrees', async () => {
  const network = shownWith(450)
  expect(screen.getByText(/Your balance of \$4\.50 is below the minimum withdrawal of \$10\.00/)).toBeTruthy()
  press()
  expect(await screen.findByText('Confirm that you are giving up your balance')).toBeTruthy()
  expect(network.sent).toEqual([])
  fireEvent.click(screen.getByLabelText('I give up $4.50'))
  press()
  await waitFor(() => expect(network.sent).toHaveLength(1))
  expect(network.sent[0]).toMatchObject({ body: { password: 'Secret-1234', givesUpCents: 450 } })
})

test('a balance that can be withdrawn is shown before anything is typed, and nothing is sent', () => {
  const network = shownWith(1000)
  expect(screen.getByText('Your balance is $10.00')).toBeTruthy()
  press()
  expect(network.sent).toEqual([])
})

test.each([
  ['', () => undefined],
  [', even if the session is over before the answer comes', () => session.clear()],
])(
  'with the account, its drafts on this device are gone, which nobody could send any more%s',
  async (_when, before) => {
    session.signIn({
      accessToken: 'a',
      refreshToken: 'r',
      user: { id: 'ann', email: 'ann@example.com', name: 'Ann', role: 'TESTER' },
    })
    localStorage.setItem(draftKey('proofDraft', 'p1', 'ann'), '{"text":"All screens"}')
    localStorage.setItem(draftKey('proofDraft', 'p1', 'bob'), '{"text":"Some screens"}')
    shownWith(0).answer = () => {
      before()
      return new Response(null, { status: 204 })
    }
    press()
    const drafts = () => Object.keys(localStorage).filter(key => key.startsWith('proofDraft'))
    await waitFor(() => expect(drafts()).toEqual(['proofDraft:p1:bob']))
  },
)
