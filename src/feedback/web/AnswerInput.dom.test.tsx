import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { WrittenAnswer } from '../written.ts'
import { AnswerInput } from './AnswerInput.tsx'

const question = { kind: 'RATING' as const, options: [], low: null, high: null, required: false }

const Screen = () => {
  const [value, setValue] = useState<WrittenAnswer>('4')
  const control = { id: 'a', name: 'answer', 'aria-describedby': undefined, 'aria-invalid': undefined } as const
  return (
    <section aria-label="Feedback">
      <AnswerInput
        {...control}
        question={question}
        value={value}
        onChange={next => setValue(next as WrittenAnswer)}
        onBlur={() => {}}
      />
    </section>
  )
}

test('a cleared answer leaves the focus in its part of the screen', async () => {
  render(<Screen />)
  const button = screen.getByRole('button', { name: 'Clear answer' })
  button.focus()
  fireEvent.click(button)
  expect(button.isConnected).toBe(false)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Feedback' })))
})
