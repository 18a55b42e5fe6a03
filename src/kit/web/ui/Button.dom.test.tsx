import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Button } from './Button.tsx'

const Once = () => {
  const [done, setDone] = useState(false)
  return (
    <section aria-label="Opt-in">{done ? <p>Done</p> : <Button onClick={() => setDone(true)}>Do it</Button>}</section>
  )
}

test('a button that its own action removes passes the focus on to its part of the screen', async () => {
  render(<Once />)
  const button = screen.getByRole('button')
  button.focus()
  fireEvent.click(button)
  expect(screen.getByText('Done')).toBeTruthy()
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Opt-in')
})
