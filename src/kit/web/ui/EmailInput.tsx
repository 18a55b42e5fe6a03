import type { ComponentProps } from 'react'
import { Input } from './Input.tsx'

/** An email address: not spelled, and not begun with a capital by a phone. */
export const EmailInput = ({ autoComplete = 'email', ...rest }: Omit<ComponentProps<typeof Input>, 'type'>) => (
  <Input type="email" autoComplete={autoComplete} autoCapitalize="none" spellCheck={false} {...rest} />
)
