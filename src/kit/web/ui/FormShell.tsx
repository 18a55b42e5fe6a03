/** Forms before their code has loaded, in what the document shows. Inert, because the screen would replace what is typed. */
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { FieldFrame, type FieldFrameProps } from './FieldFrame.tsx'
import { inputLook } from './inputLook.ts'

/** Without `submitLabel` it is only the beginning of a form. */
type Props = { submitLabel?: string; wide?: boolean; disabled?: boolean; children?: ReactNode }

export const FormShell = ({ submitLabel, wide = false, disabled = false, children }: Props) => (
  <div inert className="grid gap-5">
    {children}
    {submitLabel && (
      <div className="grid justify-items-start">
        <Button aria-disabled={disabled || undefined} className={wide ? 'w-full' : ''}>
          {submitLabel}
        </Button>
      </div>
    )}
  </div>
)

/** `tall` is the height of a control that is not one line. */
export const FieldShell = ({ tall = 'h-10 md:h-9', ...frame }: FieldFrameProps & { tall?: string }) => (
  <FieldFrame {...frame} group>
    {() => <div className={clsx(inputLook, tall)} />}
  </FieldFrame>
)
