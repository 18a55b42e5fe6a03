import type { ComponentProps } from 'react'
import { Input } from './Input.tsx'

/** An email address: not spell-checked, and not capitalized by phones. */
export const EmailInput = ({ autoComplete = 'email', ...rest }: Omit<ComponentProps<typeof Input>, 'type'>) => (
  <Input type="email" autoComplete={autoComplete} autoCapitalize="none" spellCheck={false} {...rest} />
)
