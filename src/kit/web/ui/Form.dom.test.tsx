/** Forms whose schema is loaded later, and where the focus goes if something is wrong. */
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ApiError } from '../apiError.ts'
import { RadioCards } from './Choice.tsx'
import { Field } from './Field.tsx'
import { Form, useSchemaForm } from './Form.tsx'
import { Input } from './Input.tsx'

const Schema = z.object({ note: z.string() })

const TestForm = ({
  schema,
  onSubmit,
  disabled,
}: {
  schema: () => Promise<typeof Schema>
  onSubmit: (values: object) => void
  disabled?: boolean
}) => (
  <Form
    form={useSchemaForm(schema, { note: 'kept' })}
    onSubmit={onSubmit}
    loading={false}
    submitError={null}
    submitLabel="Send"
    disabled={disabled}
  >
    {null}
  </Form>
)

test('a form whose schema could not be loaded says so, and sends nothing unchecked', async () => {
  const sent = vi.fn<(values: object) => void>()
  render(<TestForm schema={() => Promise.reject(new TypeError('Failed to fetch'))} onSubmit={sent} />)
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Network error')
  expect(sent).not.toHaveBeenCalled()
})

test('the schema is loaded before anybody presses the button', async () => {
  const load = vi.fn<() => Promise<typeof Schema>>(() => Promise.resolve(Schema))
  render(<TestForm schema={load} onSubmit={() => {}} />)
  await vi.waitFor(() => expect(load).toHaveBeenCalled())
})

test('a form with nothing to send keeps the focus on its button, which does nothing', async () => {
  const [early, sent] = [vi.fn<(values: object) => void>(), vi.fn<(values: object) => void>()]
  const form = (onSubmit: (values: object) => void, disabled: boolean) => (
    <TestForm schema={() => Promise.resolve(Schema)} onSubmit={onSubmit} disabled={disabled} />
  )
  const { rerender } = render(form(early, true))
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Send' })
  // A browser takes the focus from an element that is disabled.
  expect([button.disabled, button.ariaDisabled]).toEqual([false, 'true'])
  fireEvent.click(button)
  rerender(form(sent, false))
  fireEvent.click(button)
  await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce())
  expect(early).not.toHaveBeenCalled()
})

const Report = z.object({ kind: z.enum(['crash', 'text']), version: z.string().min(1), steps: z.string().min(1) })

/** The version is asked for above the steps, but only once the kind is chosen. */
const ReportForm = ({ refusal = null }: { refusal?: ApiError | null }) => {
  const form = useSchemaForm(Report, { version: '', steps: '' })
  return (
    <Form form={form} onSubmit={() => {}} loading={false} submitError={refusal} submitLabel="Send">
      <Field of={form} name="kind" label="Kind" group>
        {control => (
          <RadioCards
            {...control}
            options={[
              { value: 'crash', label: 'Crash' },
              { value: 'text', label: 'Text' },
            ]}
          />
        )}
      </Field>
      {form.watch('kind') && (
        <Field of={form} name="version" label="Version">
          {control => <Input {...control} />}
        </Field>
      )}
      <Field of={form} name="steps" label="Steps">
        {control => <Input {...control} />}
      </Field>
    </Form>
  )
}

const send = () => fireEvent.click(screen.getByRole('button', { name: 'Send' }))
const focusIsOn = (field: HTMLElement) => vi.waitFor(() => expect(document.activeElement).toBe(field))

test('a choice that was not made receives the focus, before the fields below it', async () => {
  render(<ReportForm />)
  send()
  await focusIsOn(screen.getByRole('radio', { name: 'Crash' }))
})

test('the focus goes to the first wrong field on the screen, even if it appeared after those below it', async () => {
  render(<ReportForm />)
  fireEvent.click(screen.getByRole('radio', { name: 'Text' }))
  send()
  await focusIsOn(screen.getByLabelText('Version'))
})

test('a choice that the server refuses receives the focus', async () => {
  const { rerender } = render(<ReportForm />)
  const message = 'This was reported before'
  const fields = { steps: message, kind: message }
  rerender(<ReportForm refusal={new ApiError(409, message, { fields })} />)
  await focusIsOn(screen.getByRole('radio', { name: 'Crash' }))
})

test('an error that appears while somebody types leaves the focus where it is', async () => {
  render(<ReportForm />)
  send()
  const steps = screen.getByLabelText('Steps')
  await focusIsOn(screen.getByRole('radio', { name: 'Crash' }))
  steps.focus()
  fireEvent.change(steps, { target: { value: 'Open it' } })
  fireEvent.change(steps, { target: { value: '' } })
  await vi.waitFor(() => expect(steps.getAttribute('aria-invalid')).toBe('true'))
  expect(document.activeElement).toBe(steps)
})
