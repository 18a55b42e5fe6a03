import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { withDialogs } from '../../../testing/web/dialogs.ts'
import { useSchemaForm } from './Form.tsx'
import { NumberInput } from './NumberInput.tsx'
import { Field } from './Field.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'

withDialogs()

// The previous test's dialogs return the focus in a separate task.
beforeEach(() => new Promise(resolve => void setTimeout(resolve)))

const Schema = z.object({ reason: z.string(), days: z.number().optional() })

const Asked = ({ onClose, onSubmit }: { onClose: () => void; onSubmit: () => Promise<void> }) => {
  const form = useSchemaForm(Schema, { reason: '' })
  return (
    <ReasonDialog
      form={form}
      name="reason"
      onClose={onClose}
      title="Reject it"
      onSubmit={onSubmit}
      submitLabel="Reject"
    >
      <Field of={form} name="days" label="Days">
        {control => <NumberInput {...control} />}
      </Field>
    </ReasonDialog>
  )
}

const open = () => {
  const [onClose, onSubmit] = [vi.fn<() => void>(), vi.fn<() => Promise<void>>(async () => {})]
  render(<Asked onClose={onClose} onSubmit={onSubmit} />)
  return { onClose, onSubmit }
}

const enter = (text: string) => fireEvent.change(screen.getByLabelText('Reason'), { target: { value: text } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const question = () => screen.queryByRole('dialog', { name: 'Discard what you entered?' })

const waysOut: Record<string, () => void> = {
  Cancel: () => press('Cancel'),
  'the cross': () => press('Close'),
  Escape: () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }),
}

test.each(Object.entries(waysOut))('with %s, a form with nothing entered closes at once', (_, leave) => {
  const { onClose } = open()
  leave()
  expect(onClose).toHaveBeenCalledOnce()
  expect(question()).toBeNull()
})

test.each(Object.entries(waysOut))('with %s, entered text is lost only after a confirmation', (_, leave) => {
  const { onClose } = open()
  enter('It is not')
  leave()
  expect(question()).not.toBeNull()
  press('Keep editing')
  expect(question()).toBeNull()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Reason').value).toBe('It is not')
  expect(onClose).not.toHaveBeenCalled()
  leave()
  press('Discard')
  expect(onClose).toHaveBeenCalledOnce()
})

test('text that was entered and removed needs no confirmation, even beside a field without a default', () => {
  const { onClose } = open()
  enter('It is not')
  enter('')
  press('Cancel')
  expect(onClose).toHaveBeenCalledOnce()
})

test('a sent form closes without a question', async () => {
  const { onClose, onSubmit } = open()
  enter('It is not')
  press('Reject')
  await expect.poll(() => onClose.mock.calls.length).toBe(1)
  expect(onSubmit).toHaveBeenCalledOnce()
  expect(question()).toBeNull()
})

const Screen = () => {
  const [opened, setOpened] = useState(false)
  return (
    <main>
      <h1 tabIndex={-1}>A campaign</h1>
      <button type="button" onClick={() => setOpened(true)}>
        Open
      </button>
      {opened && <Asked onClose={() => setOpened(false)} onSubmit={async () => {}} />}
    </main>
  )
}

const focused = () => document.activeElement?.textContent
const pressFocused = (name: string) => {
  screen.getByRole('button', { name }).focus()
  press(name)
}

test('the focus returns from the question to the form, and after discarding to the opener', async () => {
  render(<Screen />)
  pressFocused('Open')
  enter('It is not')
  pressFocused('Cancel')
  await expect.poll(focused).toBe('Keep editing')
  pressFocused('Keep editing')
  await expect.poll(focused).toBe('Cancel')
  pressFocused('Cancel')
  pressFocused('Discard')
  await expect.poll(focused).toBe('Open')
})
