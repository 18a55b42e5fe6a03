import { act, fireEvent, render, screen } from '@testing-library/react'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, expect, test } from 'vitest'
import { withDialogs } from '../../../testing/web/dialogs.ts'
import { LeaveGuard } from './LeaveGuard.tsx'

withDialogs()

let router: ReturnType<typeof createBrowserRouter>

/** A changed form that was opened from a list. */
const onForm = async () => {
  history.replaceState(null, '', '/list')
  router = createBrowserRouter([
    { path: '/list', element: <p>The list</p> },
    { path: '/form', element: <LeaveGuard dirty title="Leave?" description="It is lost." /> },
  ])
  render(<RouterProvider router={router} useTransitions={false} />)
  await act(() => router.navigate('/form'))
}

afterEach(() => router.dispose())

// Unlike a router in memory, the browser goes back asynchronously.
test('a user who went back and confirms leaves, even after staying once', async () => {
  await onForm()
  act(() => history.back())
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await expect.poll(() => [screen.queryByRole('dialog'), location.pathname]).toEqual([null, '/form'])
  act(() => history.back())
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await screen.findByText('The list')
  expect(location.pathname).toBe('/list')
})
