import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { paths } from '../../kit/paths.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { ResetPasswordPage } from './ResetPasswordPage.tsx'

provideCalls(endpointTable)

const used = 'This link no longer works: it was used already, has expired, or was replaced by a newer one.'

let network: ReturnType<typeof stubNetwork>
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  network = stubNetwork()
  network.answer = () =>
    Response.json({ code: 'INVALID_INPUT', message: used, fields: { token: used } }, { status: 400 })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const open = (hash: string) => {
  const router = createMemoryRouter([{ path: '*', element: <ResetPasswordPage /> }], {
    initialEntries: [`/reset-password${hash}`],
  })
  render(<RouterProvider router={router} useTransitions={false} />, { wrapper: Queries })
  return router
}
const newLink = () => screen.findByRole('link', { name: 'Email me a new link' }, { timeout: 20_000 })
const forms = () => screen.queryAllByLabelText('New password')

test.each([
  '',
  '#token=',
  '#token=x',
  `#token=${'a'.repeat(23)}`,
  `#token=${'a'.repeat(25)}`,
  `#token=${'.'.repeat(24)}`,
])(
  'a link that was cut off (%j) is told at once, with the way to a new one instead of the form',
  async hash => {
    open(hash)
    expect((await newLink()).getAttribute('href')).toBe(paths.forgotPassword)
    expect(screen.getByRole('alert').textContent).toContain('not complete')
    expect([forms(), network.sent]).toEqual([[], []])
  },
  30_000,
)

test('a link that is refused gives way to a new one, and a link that is opened after it gets its form', async () => {
  const router = open(`#token=${'a'.repeat(24)}`)
  for (const label of ['New password', 'Confirm new password'])
    fireEvent.change(screen.getByLabelText(label), { target: { value: 'another battery staple' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save password' }))
  await newLink()
  expect([screen.getByRole('alert').textContent, forms()]).toEqual([used, []])
  await act(async () => router.navigate(`/reset-password#token=${'b'.repeat(24)}`))
  await waitFor(() => expect(forms()).toHaveLength(1))
  expect(screen.queryByRole('alert')).toBeNull()
}, 30_000)
