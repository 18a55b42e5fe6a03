import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { NewForm } from '../contract.ts'
import { OptionFields } from './OptionFields.tsx'
import { blankQuestion } from './drafted.ts'

const Screen = () => {
  const form = useSchemaForm(NewForm, {
    questions: [{ ...blankQuestion, kind: 'CHOICE', options: ['はい', 'いいえ'] }],
  })
  return <OptionFields form={form} index={0} options={form.watch('questions.0.options') ?? []} />
}
const lines = () => screen.getAllByRole('textbox').length

test('Enter adds an option, unless it confirms a word of an input method', () => {
  render(<Screen />)
  const line = screen.getByLabelText('Question 1, option 1')
  fireEvent.keyDown(line, { key: 'Enter', isComposing: true })
  expect(lines()).toBe(2)
  fireEvent.keyDown(line, { key: 'Enter' })
  expect(lines()).toBe(3)
})
