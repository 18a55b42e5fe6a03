/** The public screens with inert fields (src/app/web/shells.tsx). */
import { RadioCards } from '../../kit/web/ui/Choice.tsx'
import { FieldFrame } from '../../kit/web/ui/FieldFrame.tsx'
import { FieldShell, FormShell } from '../../kit/web/ui/FormShell.tsx'
import { accountTypes } from './accountTypes.tsx'
import { RegisterFrame, SignInFrame } from './frames.tsx'
import { ForgotPasswordFrame, ResetPasswordFrame, UndoEmailChangeFrame, VerifyEmailFrame } from './linkFrames.tsx'
import { PasswordStrength } from './PasswordStrength.tsx'

export const SignInShell = () => (
  <SignInFrame>
    <FormShell wide submitLabel="Sign in">
      <FieldShell label="Email" />
      <FieldShell label="Password" />
    </FormShell>
  </SignInFrame>
)

export const RegisterShell = () => (
  <RegisterFrame>
    <FormShell wide submitLabel="Create account">
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
    <FormShell wide submitLabel="Email me a link">
      <FieldShell label="Email" />
    </FormShell>
  </ForgotPasswordFrame>
)

export const ResetPasswordShell = () => (
  <ResetPasswordFrame>
    <FormShell wide submitLabel="Save password">
      <FieldShell label="New password" hint={<PasswordStrength password="" />} />
      <FieldShell label="Confirm new password" />
    </FormShell>
  </ResetPasswordFrame>
)

export const VerifyEmailShell = () => (
  <VerifyEmailFrame>
    <FormShell wide submitLabel="Confirm email address">
      <FieldShell
        label="Your Fieldtest password"
        hint="Confirms that the account is yours. If you did not create it, close this page."
      />
    </FormShell>
  </VerifyEmailFrame>
)

export const UndoEmailChangeShell = () => (
  <UndoEmailChangeFrame>
    <FormShell wide submitLabel="Keep my old address" />
  </UndoEmailChangeFrame>
)
