import { z } from 'zod'
import { Registration } from '../contract.ts'

/** What the form asks; the browser's time zone is added when it is sent. */
export const RegistrationForm = Registration.pick({ name: true, email: true, role: true, password: true })
  .extend({ confirmPassword: z.string() })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    error: 'Passwords do not match',
    path: ['confirmPassword'],
    // Said at once, whatever else is still wrong.
    when: () => true,
  })
