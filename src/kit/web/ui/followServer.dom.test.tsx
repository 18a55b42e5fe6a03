import { act, fireEvent, render, screen } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Field } from './Field.tsx'
import { Form, useSchemaForm } from './Form.tsx'
import { Input } from './Input.tsx'
import { useFollowServer } from './followServer.ts'

const schema = z.object({ name: z.string(), city: z.string() })
type Values = z.input<typeof schema>

let form: ReturnType<typeof useSchemaForm<typeof schema>>
let seen: Values

const Screen = ({ saved }: { saved: Values }) => {
  const own = useSchemaForm(schema, saved)
  useFollowServer(own, saved)
  const values = own.watch()
  useEffect(() => {
    form = own
    seen = values
  })
  return (
    <Form form={own} onSubmit={() => {}} loading={false} submitError={null} submitLabel="Save">
      <Field of={own} name="name" label="Name">
        {control => <Input {...control} />}
      </Field>
      <Field of={own} name="city" label="City">
        {control => <Input {...control} />}
      </Field>
      {own.formState.isDirty ? 'Changed' : 'Unchanged'}
    </Form>
  )
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const shown = () => [field('Name').value, field('City').value, screen.queryByText('Changed') !== null]

const shownWith = (saved: Values) => {
  const { rerender } = render(<Screen saved={saved} />)
  return (next: Values) => act(async () => rerender(<Screen saved={next} />))
}

test('typed values stay, and untouched fields follow the server', async () => {
  const load = shownWith({ name: 'Ann', city: 'Bonn' })
  const typed = field('Name')
  type('Name', 'Anna')
  await load({ name: 'Ann', city: 'Cologne' })
  expect([shown(), field('Name') === typed]).toEqual([['Anna', 'Cologne', true], true])
  // This includes what somebody else has changed, and later changes.
  await load({ name: 'Annie', city: 'Kiel' })
  expect([shown(), seen]).toEqual([['Anna', 'Kiel', true], { name: 'Anna', city: 'Kiel' }])
  type('Name', 'Annie')
  expect(shown()).toEqual(['Annie', 'Kiel', false])
  type('City', 'Köln')
  expect([shown(), seen]).toEqual([['Annie', 'Köln', true], { name: 'Annie', city: 'Köln' }])
})

test('once the server has the typed values, the form counts as unchanged', async () => {
  const load = shownWith({ name: 'Ann', city: 'Bonn' })
  type('Name', 'Anna')
  await load({ name: 'Anna', city: 'Bonn' })
  expect(shown()).toEqual(['Anna', 'Bonn', false])
  await load({ name: 'Annie', city: 'Bonn' })
  expect(shown()).toEqual(['Annie', 'Bonn', false])
})

test('a form that was reset to the server’s answer follows the server', async () => {
  const load = shownWith({ name: 'Ann', city: 'Bonn' })
  type('Name', ' Anna ')
  await act(async () => form.reset({ name: 'Anna', city: 'Bonn' }))
  await load({ name: 'Anna', city: 'Bonn' })
  expect(shown()).toEqual(['Anna', 'Bonn', false])
  await load({ name: 'Annie', city: 'Bonn' })
  expect(shown()).toEqual(['Annie', 'Bonn', false])
})
