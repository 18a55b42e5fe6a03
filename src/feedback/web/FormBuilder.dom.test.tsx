/** Writing a form: trying it out saves nothing, and its author reads whom a change is for. */
import { cleanup, render, screen, within } from '@testing-library/react'
import { RouterProvider, createMemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { FeedbackForm } from '../contract.ts'
import { FormBuilder } from './FormBuilder.tsx'

provideCalls(endpointTable)
afterEach(cleanup)

const saved: FeedbackForm = {
  version: 1,
  questions: [
    {
      id: 'q1',
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
const shown = () => {
  const router = createMemoryRouter([{ path: '/', element: <FormBuilder campaignId="c1" saved={saved} /> }])
  render(<RouterProvider router={router} />, { wrapper: Queries })
}

test('no input of the preview belongs to the form, which Enter in it would save', async () => {
  shown()
  const preview = await screen.findByRole('complementary')
  const input = await within(preview).findByRole<HTMLInputElement>('textbox')
  expect([input.form, screen.getByLabelText<HTMLInputElement>('Question').form?.tagName]).toEqual([null, 'FORM'])
})

test('a change says that those who joined without a form are asked it, too', () => {
  shown()
  expect(screen.getByText(/joined without one are asked the changed form, but need not answer/)).toBeTruthy()
})
