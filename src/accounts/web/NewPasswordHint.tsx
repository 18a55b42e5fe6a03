import { TriangleAlert } from 'lucide-react'
import type { Owner } from '../weakPasswords.ts'
import { PasswordStrength } from './PasswordStrength.tsx'
import { usePasswordWeakness } from './usePasswordWeakness.ts'

/** How strong a new password is and, if it is weak, why. */
export const NewPasswordHint = ({ password, owner }: { password: string; owner: Owner }) => {
  const weakness = usePasswordWeakness(password, owner)
  return (
    <>
      <PasswordStrength password={password} weak={weakness !== null} />
      <span aria-live="polite" className="block">
        {weakness !== null && (
          <span className="mt-1 flex items-start gap-1.5 text-foreground">
            <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" /> {weakness}
          </span>
        )}
      </span>
    </>
  )
}
