import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { PasswordInput } from './PasswordInput.tsx'

test('the buttons of two password fields of one form say which password they show', () => {
  render(
    <form>
      <PasswordInput name="password" />
      <PasswordInput name="confirmPassword" />
    </form>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Show confirm password' }))
  const names = screen.getAllByRole('button').map(button => button.getAttribute('aria-label'))
  expect(names).toEqual(['Show password', 'Hide confirm password'])
})
