/** Editing a form: trying it out saves nothing, and the author sees whom a change affects. */
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { RouterProvider, createMemoryRouter } from 'react-router'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { withDialogs } from '../../testing/web/dialogs.ts'
import type { FeedbackForm } from '../contract.ts'
import { FormBuilder } from './FormBuilder.tsx'

withDialogs()
provideCalls(endpointTable)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const saved: FeedbackForm = {
  version: 1,
  questions: [
    {
      id: '019e8a00-0000-4000-8000-000000000001',
      kind: 'SHORT_TEXT',
      text: 'What is missing?',
      required: true,
      options: [],
      low: null,
      high: null,
      sus: null,
    },
  ],
  savedAt: '2026-01-01T00:00:00.000Z',
  joined: 2,
  answered: 0,
}
const shown = (element = <FormBuilder campaignId="c1" saved={saved} />) => {
  const router = createMemoryRouter([{ path: '/', element }])
  render(<RouterProvider router={router} />, { wrapper: Queries })
}

test('no input of the preview belongs to the form, because Enter in it would save the form', async () => {
  shown()
  const preview = await screen.findByRole('complementary')
  const input = await within(preview).findByRole<HTMLInputElement>('textbox')
  expect([input.form, screen.getByLabelText<HTMLInputElement>('Question').form?.tagName]).toEqual([null, 'FORM'])
})

test('a change says that testers who joined without a form are asked it, too', () => {
  shown()
  expect(screen.getByText(/joined without one will see the changed form, but answering it is optional/)).toBeTruthy()
})

test('a written form is cleared only after a question, and then the focus is where one starts again', async () => {
  shown()
  fireEvent.change(screen.getByLabelText('Question'), { target: { value: 'What is too much?' } })
  fireEvent.click(screen.getByRole('button', { name: 'Remove all' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(screen.getByLabelText<HTMLInputElement>('Question').value).toBe('What is too much?')
  fireEvent.click(dialog.getByRole('button', { name: 'Remove all' }))
  await waitFor(() => expect(screen.queryByLabelText('Question')).toBeNull())
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Add a question'))
})

test('a saved form is emptied at once, because nothing is lost before it is saved', () => {
  shown()
  fireEvent.click(screen.getByRole('button', { name: 'Remove all' }))
  expect(screen.queryByLabelText('Question')).toBeNull()
})

test('a change refers to the version it was made from, even if another window saves one meanwhile', async () => {
  const network = stubNetwork()
  network.answer = () => Response.json({ code: 'WRONG_STATE', message: 'Changed meanwhile.' }, { status: 409 })
  const LoadedAgain = () => {
    const [loaded, setLoaded] = useState(saved)
    const newer = { ...saved, version: 2, questions: [{ ...saved.questions[0]!, text: 'What else?' }] }
    return (
      <>
        <FormBuilder campaignId="c1" saved={loaded} />
        <button onClick={() => setLoaded(newer)}>Load again</button>
      </>
    )
  }
  shown(<LoadedAgain />)
  fireEvent.change(screen.getByLabelText('Question'), { target: { value: 'What is too much?' } })
  fireEvent.click(screen.getByRole('button', { name: 'Load again' }))
  fireEvent.click(screen.getByRole('button', { name: 'Save the form' }))
  await screen.findByText('Changed meanwhile.')
  expect(network.sent.map(({ body }) => body)).toMatchObject([
    { version: 1, questions: [{ text: 'What is too much?' }] },
  ])
})
