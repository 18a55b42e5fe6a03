import { useAuth } from './auth.tsx'
import { session } from '../../kit/web/session.ts'
import { useTask } from '../../kit/web/task.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { PasswordInput } from '../../kit/web/ui/PasswordInput.tsx'
import { SignInFrame } from './frames.tsx'

const schema = async () => (await import('../contract.ts')).Credentials

export const LoginPage = () => {
  // After signing in, the route's guard redirects to the requested page.
  const signIn = useTask(useAuth().login)
  const whyEnded = session.whyEnded()
  const form = useSchemaForm(schema, { email: '', password: '' })
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
            <Input
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
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
