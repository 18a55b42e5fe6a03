/** The public screens with inert fields (src/app/web/shells.tsx). */
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Button } from '../../kit/web/ui/Button.tsx'
import { RadioCards } from '../../kit/web/ui/Choice.tsx'
import { FieldFrame } from '../../kit/web/ui/FieldFrame.tsx'
import { inputLook } from '../../kit/web/ui/inputLook.ts'
import { accountTypes } from './accountTypes.tsx'
import { RegisterFrame, SignInFrame } from './frames.tsx'
import { ForgotPasswordFrame, ResetPasswordFrame, UndoEmailChangeFrame, VerifyEmailFrame } from './linkFrames.tsx'
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

export const ForgotPasswordShell = () => (
  <ForgotPasswordFrame>
    <FormShell submitLabel="Email me a link">
      <FieldShell label="Email" />
    </FormShell>
  </ForgotPasswordFrame>
)

export const ResetPasswordShell = () => (
  <ResetPasswordFrame>
    <FormShell submitLabel="Save password">
      <FieldShell label="New password" hint={<PasswordStrength password="" />} />
      <FieldShell label="Confirm new password" />
    </FormShell>
  </ResetPasswordFrame>
)

export const VerifyEmailShell = () => (
  <VerifyEmailFrame>
    <FormShell submitLabel="Confirm email address">
      <FieldShell
        label="Your Fieldtest password"
        hint="Confirms that the account is yours. If you did not create it, close this page."
      />
    </FormShell>
  </VerifyEmailFrame>
)

export const UndoEmailChangeShell = () => (
  <UndoEmailChangeFrame>
    <FormShell submitLabel="Keep my old address" />
  </UndoEmailChangeFrame>
)

/** Inert, because input would be lost when the screen replaces it. */
const FormShell = ({ submitLabel, children }: { submitLabel: string; children?: ReactNode }) => (
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
