import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useSyncExternalStore } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../../app/web/endpointTable.ts'
import { provideCalls } from '../../../kit/web/api.ts'
import { draftKey, provideDrafts } from '../../../kit/web/drafts.ts'
import { session } from '../../../kit/web/session.ts'
import { stubNetwork } from '../../../testing/network.ts'
import { withDialogs } from '../../../testing/web/dialogs.ts'
import { SignOutEverywhere } from './SignOutEverywhere.tsx'

withDialogs()
provideCalls(endpointTable)
provideDrafts(() => import('../../../app/web/draftsHere.ts'))

const draft = draftKey('proofDraft', 'p1', 'ann')
const offer = 'Also remove 1 unsent draft from this device: 1 proof'

beforeEach(() => {
  session.signIn({
    accessToken: 'a',
    refreshToken: 'r',
    user: { id: 'ann', email: 'ann@example.com', name: 'Ann', role: 'TESTER' },
  })
  stubNetwork().answer = () => new Response(null, { status: 204 })
})
afterEach(() => {
  cleanup()
  session.clear()
  localStorage.clear()
  vi.unstubAllGlobals()
})

/** As the guard does, which removes the screen with its user. */
const WhileSignedIn = () => useSyncExternalStore(session.subscribe, session.user) && <SignOutEverywhere />

const asked = async () => {
  render(<WhileSignedIn />)
  fireEvent.click(screen.getByRole('button', { name: 'Sign out everywhere' }))
  return screen.findByRole('dialog')
}
const confirm = async (dialog: HTMLElement) => {
  const buttons = [...dialog.querySelectorAll('button')]
  fireEvent.click(buttons.find(({ textContent }) => textContent === 'Sign out everywhere')!)
  await waitFor(() => expect(session.accessToken()).toBeNull())
}

test.each([
  [true, null],
  [false, '{"text":"All screens"}'],
])('signing out everywhere removes the drafts on this device only if asked to (%s)', async (ticked, left) => {
  localStorage.setItem(draft, '{"text":"All screens"}')
  const dialog = await asked()
  if (ticked) fireEvent.click(screen.getByLabelText(offer))
  await confirm(dialog)
  expect(localStorage.getItem(draft)).toBe(left)
})

test('without drafts it does not speak of them', async () => {
  await asked()
  expect(screen.queryByRole('checkbox')).toBeNull()
})
