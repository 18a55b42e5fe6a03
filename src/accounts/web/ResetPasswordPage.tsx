import { Suspense, lazy, useState } from 'react'
import { session } from '../../kit/web/session.ts'
import { useTask } from '../../kit/web/task.ts'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { PasswordInput } from '../../kit/web/ui/PasswordInput.tsx'
import { api } from './calls.ts'
import { ResetPasswordFrame } from './linkFrames.tsx'
import { type LinkProps, LinkScreen } from './linkToken.tsx'
import type { PasswordReset } from './ResetOutcome.tsx'

const outcome = async () => ({ default: (await import('./ResetOutcome.tsx')).ResetOutcome })
const ResetOutcome = lazy(outcome)
const NewPasswordHint = lazy(async () => ({ default: (await import('./NewPasswordHint.tsx')).NewPasswordHint }))

/** Also loads what follows the form, so nothing has to be loaded once the link is used. */
const schema = async () => {
  const [{ NewPasswordForm }] = await Promise.all([import('./newPasswordForm.ts'), outcome()])
  return NewPasswordForm
}

/** Only the link tells who resets the password, so the comparison with name and address is left to the server. */
const nobody = { name: '', email: '' }

export const ResetPasswordPage = () => <LinkScreen frame={ResetPasswordFrame} screen={NewPassword} />

const NewPassword = ({ token, unlessOver }: LinkProps) => {
  const [done, setDone] = useState<PasswordReset | null>(null)
  const form = useSchemaForm(schema, { password: '', confirmPassword: '' })
  const save = useTask(async ({ password }: { password: string }) => {
    const reset = await unlessOver(api.resetPassword({ body: { token, password } }))
    // The sessions of this account have ended, also here.
    if (session.user()?.email === reset.email) session.clear()
    setDone(reset)
  })
  return (
    <ResetPasswordFrame done={done !== null}>
      {done ? (
        <Suspense>
          <ResetOutcome {...done} />
        </Suspense>
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
