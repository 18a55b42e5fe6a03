import { Suspense, lazy } from 'react'
import { useAuth } from './auth.tsx'
import { ApiError } from '../../kit/web/apiError.ts'
import { session } from '../../kit/web/session.ts'
import { useTask } from '../../kit/web/task.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { EmailInput } from '../../kit/web/ui/EmailInput.tsx'
import { PasswordInput } from '../../kit/web/ui/PasswordInput.tsx'
import { PageSpinner } from '../../kit/web/ui/Spinner.tsx'
import { SignInFrame } from './frames.tsx'

const schema = async () => (await import('../contract.ts')).Credentials

const SignInStep = lazy(async () => ({ default: (await import('./secondFactor/SignInStep.tsx')).SignInStep }))

export const LoginPage = () => {
  // After signing in, the route's guard redirects to the requested page.
  const signIn = useTask(useAuth().login)
  const whyEnded = session.whyEnded()
  const form = useSchemaForm(schema, { email: '', password: '' })
  const factorRequest = signIn.error instanceof ApiError ? signIn.error.factorRequest : null
  if (factorRequest) {
    return (
      <SignInFrame>
        <Suspense fallback={<PageSpinner />}>
          <SignInStep request={factorRequest} onBack={signIn.reset} />
        </Suspense>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame>
      {whyEnded !== null && !signIn.error && (
        <Alert tone="yellow" className="mb-5">
          {whyEnded}
        </Alert>
      )}
      <Form
        form={form}
        onSubmit={signIn.run}
        loading={signIn.pending}
        submitError={signIn.error}
        submitLabel="Sign in"
        errorFallback="Login failed"
        wide
      >
        <Field of={form} name="email" label="Email">
          {control => (
            <EmailInput
              autoComplete="username"
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- signing in is the only purpose of this page
              autoFocus
              {...control}
            />
          )}
        </Field>
        <Field of={form} name="password" label="Password">
          {control => <PasswordInput autoComplete="current-password" {...control} />}
        </Field>
      </Form>
    </SignInFrame>
  )
}
