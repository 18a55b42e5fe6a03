/** The screens of emailed links without their forms: shown before any script has loaded, and then around the forms. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { AccountFrame } from './AccountFrame.tsx'

type Frame = {
  /** True once the outcome has replaced the form. */
  done?: boolean
  children: ReactNode
}

const toSignIn = <Link to={paths.login}>Go to sign in</Link>

export const ForgotPasswordFrame = ({ done = false, children }: Frame) => (
  <AccountFrame
    title="Reset your password"
    lead={done ? undefined : 'We will email you a link to choose a new one.'}
    footer={toSignIn}
  >
    {children}
  </AccountFrame>
)

export const ResetPasswordFrame = ({ done = false, children }: Frame) => (
  <AccountFrame
    title="Choose a new password"
    lead={done ? undefined : 'This signs you out on all devices.'}
    footer={toSignIn}
  >
    {children}
  </AccountFrame>
)

export const VerifyEmailFrame = ({ done = false, children }: Frame) => (
  <AccountFrame
    title="Confirm your email address"
    lead={done ? undefined : 'So we know our emails reach you.'}
    footer={toSignIn}
  >
    {children}
  </AccountFrame>
)

export const UndoEmailChangeFrame = ({ done = false, children }: Frame) => (
  <AccountFrame
    title="Keep your old email address"
    lead={done ? undefined : 'If someone else changed it, take back your account.'}
    footer={toSignIn}
  >
    {!done && (
      <ul className="mb-5 grid list-disc gap-1.5 pl-5">
        <li>All devices are signed out.</li>
        <li>Your password stops working. We will email you a link to choose a new one.</li>
        <li>Passkeys and authenticator apps added after the change was requested are removed.</li>
      </ul>
    )}
    {children}
  </AccountFrame>
)
