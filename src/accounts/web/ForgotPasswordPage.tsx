import { useTask } from '../../kit/web/task.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { EmailInput } from '../../kit/web/ui/EmailInput.tsx'
import { useState } from 'react'
import { api } from './calls.ts'
import { ForgotPasswordFrame } from './linkFrames.tsx'
import { Outcome } from './Outcome.tsx'

const schema = async () => (await import('../contract.ts')).ForgottenPassword

export const ForgotPasswordPage = () => {
  const [askedFor, setAskedFor] = useState<string | null>(null)
  const form = useSchemaForm(schema, { email: '' })
  const ask = useTask(async (body: { email: string }) => {
    await api.forgotPassword({ body })
    setAskedFor(body.email)
  })
  return (
    <ForgotPasswordFrame done={askedFor !== null}>
      {askedFor === null ? (
        <Form
          form={form}
          onSubmit={ask.run}
          loading={ask.pending}
          submitError={ask.error}
          submitLabel="Email me a link"
          wide
        >
          <Field of={form} name="email" label="Email">
            {control => (
              <EmailInput
                autoComplete="username"
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only purpose of this page
                autoFocus
                {...control}
              />
            )}
          </Field>
        </Form>
      ) : (
        <Outcome
          title="Check your inbox"
          action={
            <Button variant="outline" onClick={() => setAskedFor(null)}>
              Use another address
            </Button>
          }
        >
          If there is an account for {askedFor}, a link is on its way. It works once, within an hour. Nothing there?
          Check your spam folder.
        </Outcome>
      )}
    </ForgotPasswordFrame>
  )
}
