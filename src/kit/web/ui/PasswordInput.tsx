import { clsx } from 'clsx'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Input } from './Input.tsx'

/** "confirmPassword" → "confirm password": two fields of one form have differently named buttons. */
const wordsOf = (name = 'password') => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

/** Has a button that shows the password. */
export const PasswordInput = ({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) => {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        className={clsx('pr-11', className)}
        {...rest}
      />
      <button
        type="button"
        aria-label={`${shown ? 'Hide' : 'Show'} ${wordsOf(rest.name)}`}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-md text-muted-foreground hover:text-foreground"
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </div>
  )
}
