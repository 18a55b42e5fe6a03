import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { inputLook } from './inputLook.ts'

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input className={clsx(inputLook, 'h-10 md:h-9', className)} {...rest} />
)

export const Textarea = ({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) => (
  <textarea className={clsx(inputLook, 'py-2', className)} rows={rows} {...rest} />
)
