import { z } from 'zod'
import { Registration } from '../contract.ts'
import { isSamePassword } from '../inputs.ts'

/** The fields of the form; the browser's time zone is added when it is sent. */
export const RegistrationForm = Registration.pick({ name: true, email: true, role: true, password: true })
  .extend({ confirmPassword: z.string() })
  .refine(({ password, confirmPassword }) => isSamePassword(password, confirmPassword), {
    error: 'Passwords do not match',
    path: ['confirmPassword'],
    // Reported even while other fields are invalid.
    when: () => true,
  })
