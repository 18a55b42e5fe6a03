/** The screens of emailed links: a link that cannot be used is told at once, and what to do instead. */
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { paths } from '../../kit/paths.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { session } from '../../kit/web/session.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { ResetPasswordPage } from './ResetPasswordPage.tsx'
import { UndoEmailChangePage } from './UndoEmailChangePage.tsx'
import { VerifyEmailPage } from './VerifyEmailPage.tsx'

provideCalls(endpointTable)

const used = 'This link no longer works: it has already been used, has expired, or was replaced by a newer one.'

let network: ReturnType<typeof stubNetwork>
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  network = stubNetwork()
  network.answer = () =>
    Response.json({ code: 'INVALID_INPUT', message: used, fields: { token: used } }, { status: 400 })
})
afterEach(() => {
  cleanup()
  session.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const screens = {
  [paths.resetPassword]: <ResetPasswordPage />,
  [paths.verifyEmail]: <VerifyEmailPage />,
  [paths.undoEmailChange]: <UndoEmailChangePage />,
}
const newLinks: Record<string, string | undefined> = {
  [paths.resetPassword]: paths.forgotPassword,
  [paths.verifyEmail]: paths.dashboard,
  [paths.undoEmailChange]: undefined,
}
const at = Object.keys(screens)

const open = (path: string, token: string) => {
  const routes = Object.entries(screens).map(([where, element]) => ({ path: where, element }))
  const router = createMemoryRouter(routes, { initialEntries: [`${path}#token=${token}`] })
  render(<RouterProvider router={router} useTransitions={false} />, { wrapper: Queries })
  return router
}
const submit = () =>
  screen.queryByRole('button', { name: /^(Save password|Confirm email address|Keep my old address)$/ })
const alert = () => screen.findByRole('alert', {}, { timeout: 20_000 })
/** Where the way out leads that stands below what is said, not the frame's links. */
const wayOut = async () => (await alert()).parentElement?.querySelector('a')?.getAttribute('href') ?? undefined
const signIn = () =>
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 'tess', email: 'tess@example.test', name: 'Tess', role: 'TESTER' },
  })

const cutOff = ['', 'x', 'a'.repeat(23), 'a'.repeat(25), '.'.repeat(24)]

test.each(at.flatMap(path => cutOff.map(token => [path, token])))(
  '%s with a link that was cut off (%j) says so at once, with what to do instead of the form',
  async (path, token) => {
    open(path!, token!)
    expect((await alert()).textContent).toMatch(/is incomplete.*Open it again from the email/)
    expect([await wayOut(), submit(), network.sent]).toEqual([newLinks[path!], null, []])
  },
  30_000,
)

test.each(at)(
  '%s with a link that is refused ends, and another link that is opened after it begins anew',
  async path => {
    const router = open(path, 'a'.repeat(24))
    for (const field of document.querySelectorAll('input'))
      fireEvent.change(field, { target: { value: 'another battery staple' } })
    fireEvent.click(submit()!)
    await waitFor(async () => expect((await alert()).textContent).toBe(used), { timeout: 20_000 })
    expect([await wayOut(), submit()]).toEqual([newLinks[path], null])
    await act(async () => router.navigate(`${path}#token=${'b'.repeat(24)}`))
    await waitFor(() => expect(submit()).not.toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
  },
  30_000,
)

test('a press of whoever is signed in that confirms nothing ends the screen as well', async () => {
  signIn()
  open(paths.verifyEmail, 'a'.repeat(24))
  fireEvent.click(submit()!)
  await waitFor(() => expect(submit()).toBeNull(), { timeout: 20_000 })
  expect((await alert()).textContent).toBe(used)
}, 30_000)
