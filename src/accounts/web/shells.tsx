/** Both public screens with inert fields (src/app/web/shells.tsx). */
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Button } from '../../kit/web/ui/Button.tsx'
import { RadioCards } from '../../kit/web/ui/Choice.tsx'
import { FieldFrame } from '../../kit/web/ui/FieldFrame.tsx'
import { inputLook } from '../../kit/web/ui/inputLook.ts'
import { accountTypes } from './accountTypes.tsx'
import { RegisterFrame, SignInFrame } from './frames.tsx'
import { PasswordStrength } from './PasswordStrength.tsx'

export const SignInShell = () => (
  <SignInFrame>
    <FormShell submitLabel="Sign in">
      <FieldShell label="Email" />
      <FieldShell label="Password" />
    </FormShell>
  </SignInFrame>
)

export const RegisterShell = () => (
  <RegisterFrame>
    <FormShell submitLabel="Create account">
      <FieldShell label="Full name" />
      <FieldShell label="Email" />
      <FieldFrame label="Account type" group>
        {wiring => (
          <RadioCards options={accountTypes} name="role" value="TESTER" onChange={() => undefined} {...wiring} />
        )}
      </FieldFrame>
      <FieldShell label="Password" hint={<PasswordStrength password="" />} />
      <FieldShell label="Confirm password" />
    </FormShell>
  </RegisterFrame>
)

/** Inert, because input would be lost when the screen replaces it. */
const FormShell = ({ submitLabel, children }: { submitLabel: string; children: ReactNode }) => (
  <div inert className="grid gap-5">
    {children}
    <Button className="w-full">{submitLabel}</Button>
  </div>
)

const FieldShell = ({ label, hint }: { label: string; hint?: ReactNode }) => (
  <FieldFrame label={label} hint={hint} group>
    {() => <div className={clsx(inputLook, 'h-10 md:h-9')} />}
  </FieldFrame>
)
