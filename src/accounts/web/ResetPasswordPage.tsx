import { Suspense, lazy, useState } from 'react'
import { paths } from '../../kit/paths.ts'
import { session } from '../../kit/web/session.ts'
import { useTask } from '../../kit/web/task.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { PasswordInput } from '../../kit/web/ui/PasswordInput.tsx'
import { api } from './calls.ts'
import { ResetPasswordFrame } from './linkFrames.tsx'
import { useLinkToken } from './linkToken.tsx'
import { Outcome } from './Outcome.tsx'

const SignInInstead = lazy(async () => ({ default: (await import('./SignInInstead.tsx')).SignInInstead }))
const NewPasswordHint = lazy(async () => ({ default: (await import('./NewPasswordHint.tsx')).NewPasswordHint }))

const schema = async () => (await import('./newPasswordForm.ts')).NewPasswordForm

type Reset = { email: string; newAccount: boolean }

/** Who resets a password is told by the link alone; the server compares with the name and address. */
const nobody = { name: '', email: '' }

export const ResetPasswordPage = () => {
  const token = useLinkToken()
  const [done, setDone] = useState<Reset | null>(null)
  const form = useSchemaForm(schema, { password: '', confirmPassword: '' })
  const save = useTask(async ({ password }: { password: string }) => {
    const reset = await api.resetPassword({ body: { token, password } })
    // The sessions of this account have ended, also here.
    if (session.user()?.email === reset.email) session.clear()
    setDone(reset)
  })
  return (
    <ResetPasswordFrame done={done !== null}>
      {done ? (
        <Done {...done} />
      ) : (
        <Form
          form={form}
          onSubmit={save.run}
          loading={save.pending}
          submitError={save.error}
          submitLabel="Save password"
          wide
        >
          <Field
            of={form}
            name="password"
            label="New password"
            hint={
              <Suspense fallback={<span className="block h-5" />}>
                <NewPasswordHint password={form.watch('password')} owner={nobody} />
              </Suspense>
            }
          >
            {control => <PasswordInput autoComplete="new-password" {...control} />}
          </Field>
          <Field of={form} name="confirmPassword" label="Confirm new password">
            {control => <PasswordInput autoComplete="new-password" {...control} />}
          </Field>
        </Form>
      )}
    </ResetPasswordFrame>
  )
}

const Done = ({ email, newAccount }: Reset) => {
  const [other] = useState(session.user)
  return (
    <Outcome
      title={newAccount ? 'Your new account is ready' : 'Your password is changed'}
      action={
        other ? (
          <Suspense>
            <SignInInstead other={other} />
          </Suspense>
        ) : (
          <ButtonLink to={paths.login} className="w-full">
            Sign in
          </ButtonLink>
        )
      }
    >
      {newAccount
        ? `Another account used ${email} without ever confirming it, so we created a new account for you. If the old account was yours, contact us: we have kept its data.`
        : `Sign in as ${email} with your new password.`}
    </Outcome>
  )
}
