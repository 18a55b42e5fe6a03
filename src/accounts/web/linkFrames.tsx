/** The screens of emailed links without their forms: shown before any script has loaded, and around the forms afterwards. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { AccountFrame } from './AccountFrame.tsx'

type Frame = { children: ReactNode }

const toSignIn = <Link to={paths.login}>Go to sign in</Link>

export const ForgotPasswordFrame = ({ children }: Frame) => (
  <AccountFrame title="Reset your password" lead="We email you a link to choose a new one." footer={toSignIn}>
    {children}
  </AccountFrame>
)

export const ResetPasswordFrame = ({ children }: Frame) => (
  <AccountFrame title="Choose a new password" lead="It signs you out on all devices." footer={toSignIn}>
    {children}
  </AccountFrame>
)

export const VerifyEmailFrame = ({ children }: Frame) => (
  <AccountFrame title="Confirm your email address" lead="Then we know that our emails reach you." footer={toSignIn}>
    {children}
  </AccountFrame>
)

type UndoFrame = Frame & {
  /** Until it is done: says what it does. */
  explained: boolean
}

export const UndoEmailChangeFrame = ({ explained, children }: UndoFrame) => (
  <AccountFrame
    title="Keep your old email address"
    lead="If somebody else changed it, take your account back."
    footer={toSignIn}
  >
    {explained && (
      <ul className="mb-5 grid list-disc gap-1.5 pl-5">
        <li>All devices are signed out.</li>
        <li>The password stops working. We email you a link to choose a new one.</li>
        <li>Passkeys and authenticator apps that were set up after the change was asked for are removed.</li>
      </ul>
    )}
    {children}
  </AccountFrame>
)
