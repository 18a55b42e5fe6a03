import { describe, expect, test } from 'vitest'
import { NewPasswordForm } from './newPasswordForm.ts'
import { RegistrationForm } from './registrationForm.ts'

const person = { name: 'Ann', email: 'ann@example.com', role: 'DEVELOPER' }
const typed = { password: 'secret1', confirmPassword: 'secret1' }

describe.each([
  ['of a registration', RegistrationForm, person],
  ['of a new password', NewPasswordForm, {}],
])('the form %s', (_, form, others) => {
  const problems = (change: object) =>
    form
      .safeParse({ ...others, ...typed, ...change })
      .error?.issues.map(({ path, message }) => [path.join('.'), message])
  const mismatch = ['confirmPassword', 'Passwords do not match']

  test('accepts a password that was typed the same twice, and returns no other fields', () => {
    expect(form.parse({ ...others, ...typed, token: 'x', country: 'DE' })).toEqual({ ...others, ...typed })
  })

  test('treats the same letters from two keyboards as one password, and counts them after normalization', () => {
    const [one, two] = ['caf\u00E9 au lait', 'cafe\u0301 au lait']
    expect(problems({ password: two, confirmPassword: one })).toBeUndefined()
    const short = 'e\u0301'.repeat(3)
    expect(problems({ password: short, confirmPassword: short })).toEqual([
      ['password', 'Password must be at least 6 characters'],
    ])
  })

  test.each(['secret2', 'secret1 ', 'Secret1', ''])('reports the second password if that is "%s"', second => {
    expect(problems({ confirmPassword: second })).toEqual([mismatch])
  })

  test('reports at once that the password is too short and that the second one differs', () => {
    expect(problems({ password: '12345' })).toEqual([['password', 'Password must be at least 6 characters'], mismatch])
  })
})

test('a registration reports everything else that is missing at once', () => {
  const { error } = RegistrationForm.safeParse({ name: ' ', email: 'ann', role: 'ADMIN', ...typed })
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['name', 'email', 'role'])
})
