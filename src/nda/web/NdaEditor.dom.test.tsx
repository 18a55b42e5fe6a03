import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { withDialogs } from '../../testing/web/dialogs.ts'
import type { Nda } from '../contract.ts'
import { NdaEditor } from './NdaEditor.tsx'

withDialogs()
provideCalls(endpointTable)

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test.each([
  { typed: 'A text of an hour.', asks: true },
  { typed: ' ', asks: false },
])('the template replaces “$typed” only after a question if something would be lost: $asks', async given => {
  const nda = { current: null, template: 'Our words.', campaign: { id: 'c1' } } as Nda
  const router = createMemoryRouter([{ path: '/', element: <NdaEditor nda={nda} /> }])
  render(<RouterProvider router={router} />, { wrapper: Queries })
  const text = screen.getByLabelText<HTMLTextAreaElement>('Text')
  fireEvent.change(text, { target: { value: given.typed } })
  fireEvent.click(screen.getByRole('button', { name: 'Use our template' }))
  if (given.asks) {
    const dialog = within(await screen.findByRole('dialog'))
    expect(text.value).toBe(given.typed)
    fireEvent.click(dialog.getByRole('button', { name: 'Replace' }))
  }
  await waitFor(() => expect(text.value).toBe('Our words.'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a change of the text is still there when the removal of the NDA has failed', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  stubNetwork().answer = () => Response.json({ message: 'Try later.' }, { status: 409 })
  const nda = { current: { version: 1, text: 'Say nothing.' }, template: null, campaign: { id: 'c1' } } as Nda
  const router = createMemoryRouter([{ path: '/', element: <NdaEditor nda={nda} /> }])
  render(<RouterProvider router={router} />, { wrapper: Queries })
  const text = screen.getByLabelText<HTMLTextAreaElement>('Text')
  fireEvent.change(text, { target: { value: 'Say nothing to anybody.' } })
  fireEvent.click(screen.getByRole('button', { name: 'Stop requiring it' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Stop requiring it' }))
  await dialog.findByText('Try later.')
  expect(text.value).toBe('Say nothing to anybody.')
})
