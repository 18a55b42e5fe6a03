/** The two public screens without their forms: shown before any script has loaded, and then around the forms. */
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { AccountFrame } from './AccountFrame.tsx'

export const SignInFrame = ({ children }: { children: ReactNode }) => (
  <AccountFrame
    title="Sign in"
    lead="Welcome back."
    footer={
      <>
        New to Fieldtest?{' '}
        <Link
          to={{ pathname: paths.register, search: useLocation().search }}
          state={useLocation().state}
          className="inline-block py-3"
        >
          Create account
        </Link>
        <br />
        <Link to={paths.forgotPassword} className="inline-block py-3">
          Forgot password?
        </Link>
      </>
    }
  >
    {children}
  </AccountFrame>
)

export const RegisterFrame = ({ children }: { children: ReactNode }) => (
  <AccountFrame
    title="Create account"
    lead="It takes about a minute."
    footer={
      <>
        Already have an account?{' '}
        <Link
          to={{ pathname: paths.login, search: useLocation().search }}
          state={useLocation().state}
          className="inline-block py-3"
        >
          Sign in
        </Link>
      </>
    }
  >
    {children}
  </AccountFrame>
)
