/** Forms whose schema is loaded later. */
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { Form, useSchemaForm } from './Form.tsx'

const Schema = z.object({ note: z.string() })

const TestForm = ({
  schema,
  onSubmit,
}: {
  schema: () => Promise<typeof Schema>
  onSubmit: (values: object) => void
}) => (
  <Form
    form={useSchemaForm(schema, { note: 'kept' })}
    onSubmit={onSubmit}
    loading={false}
    submitError={null}
    submitLabel="Send"
  >
    {null}
  </Form>
)

test('a form whose schema could not be fetched says so, and sends nothing that was not checked', async () => {
  const sent = vi.fn<(values: object) => void>()
  render(<TestForm schema={() => Promise.reject(new TypeError('Failed to fetch'))} onSubmit={sent} />)
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Network error')
  expect(sent).not.toHaveBeenCalled()
})

test('the schema is loaded before anybody presses', async () => {
  const load = vi.fn<() => Promise<typeof Schema>>(() => Promise.resolve(Schema))
  render(<TestForm schema={load} onSubmit={() => {}} />)
  await vi.waitFor(() => expect(load).toHaveBeenCalled())
})
