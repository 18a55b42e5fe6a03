import { z } from 'zod'
import { PasswordReset } from '../contract.ts'
import { isSamePassword } from '../inputs.ts'

/** The fields of the form; the token comes from the link. */
export const NewPasswordForm = PasswordReset.pick({ password: true })
  .extend({ confirmPassword: z.string() })
  .refine(({ password, confirmPassword }) => isSamePassword(password, confirmPassword), {
    error: 'Passwords do not match',
    path: ['confirmPassword'],
    // Reported even while other fields are invalid.
    when: () => true,
  })
