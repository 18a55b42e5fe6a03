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
  <AccountFrame title="Confirm your email address" lead="One press, and it is done." footer={toSignIn}>
    {children}
  </AccountFrame>
)

export const UndoEmailChangeFrame = ({ children }: Frame) => (
  <AccountFrame
    title="Keep your old email address"
    lead="It brings the address back and signs out all devices."
    footer={toSignIn}
  >
    {children}
  </AccountFrame>
)
