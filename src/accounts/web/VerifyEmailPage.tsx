import { useState, useSyncExternalStore } from 'react'
import { paths } from '../../kit/paths.ts'
import { ApiError } from '../../kit/web/apiError.ts'
import { session } from '../../kit/web/session.ts'
import { useTask } from '../../kit/web/task.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { PasswordInput } from '../../kit/web/ui/PasswordInput.tsx'
import { api } from './calls.ts'
import { VerifyEmailFrame } from './linkFrames.tsx'
import { LinkButton } from './LinkButton.tsx'
import { type LinkProps, LinkScreen } from './linkToken.tsx'
import { Outcome } from './Outcome.tsx'

/** Also confirms the new address of an account that moves to it. A press is enough where that account is signed in. */
export const VerifyEmailPage = () => <LinkScreen frame={VerifyEmailFrame} screen={VerifyEmail} />

const VerifyEmail = ({ token, unlessOver }: LinkProps) => {
  const user = useSyncExternalStore(session.subscribe, session.user)
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const [ofAnother, setOfAnother] = useState(false)
  const confirm = useTask(async () => {
    try {
      const me = await unlessOver(api.confirmEmail({ body: { token } }))
      session.update(me)
      setConfirmed(me.email)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'WRONG_STATE') throw error
      setOfAnother(true)
    }
  })
  return (
    <VerifyEmailFrame done={confirmed !== null}>
      {confirmed !== null && <Confirmed email={confirmed} />}
      {confirmed === null && user && !ofAnother && <LinkButton task={confirm}>Confirm email address</LinkButton>}
      {confirmed === null && (!user || ofAnother) && (
        <WithPassword token={token} unlessOver={unlessOver} onConfirmed={setConfirmed} />
      )}
    </VerifyEmailFrame>
  )
}

const schema = async () => (await import('../contract.ts')).EmailConfirmation.pick({ password: true })

type Props = LinkProps & { onConfirmed: (email: string) => void }

const WithPassword = ({ token, unlessOver, onConfirmed }: Props) => {
  const form = useSchemaForm(schema, { password: '' })
  const confirm = useTask(async ({ password }: { password: string }) =>
    onConfirmed((await unlessOver(api.verifyEmail({ body: { token, password } }))).email),
  )
  return (
    <Form
      form={form}
      onSubmit={confirm.run}
      loading={confirm.pending}
      submitError={confirm.error}
      submitLabel="Confirm email address"
      wide
    >
      <Field
        of={form}
        name="password"
        label="Your Fieldtest password"
        hint="Confirms that the account is yours. If you did not create it, close this page."
      >
        {control => <PasswordInput autoComplete="current-password" {...control} />}
      </Field>
    </Form>
  )
}

const Confirmed = ({ email }: { email: string }) => (
  <Outcome
    title="Your email address is confirmed"
    action={
      <ButtonLink to={paths.dashboard} className="w-full">
        Go to dashboard
      </ButtonLink>
    }
  >
    Your account uses {email}.
  </Outcome>
)
