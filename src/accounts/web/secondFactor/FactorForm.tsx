import { useState } from 'react'
import { ApiError, messageOf } from '../../../kit/web/apiError.ts'
import { useTask } from '../../../kit/web/task.ts'
import type { Factor, FactorRequest } from '../../../kit/secondFactor.ts'
import { Alert } from '../../../kit/web/ui/Alert.tsx'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Field } from '../../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../../kit/web/ui/Form.tsx'
import { Input } from '../../../kit/web/ui/Input.tsx'
import type { FactorAnswer } from '../../secondFactorContract.ts'
import { passkeysWork, askPasskey } from './passkeyPrompt.ts'

const schema = async () => (await import('../../secondFactorContract.ts')).CodeForm

type Props = {
  request: FactorRequest
  /** Sends the answer; if it fails, this form shows the error. */
  onAnswer: (answer: FactorAnswer) => Promise<void>
  /** Goes back to the form that led here. */
  onBack: () => void
  backLabel: string
}

const otherWay: Record<Factor, string> = {
  PASSKEY: 'Use a passkey',
  TOTP: 'Use your authenticator app',
  RECOVERY_CODE: 'Use a recovery code',
}

/** The challenge expired, was used, or had too many wrong answers. */
const isOver = (error: unknown) =>
  error instanceof ApiError && (error.code === 'SECOND_FACTOR_EXPIRED' || error.code === 'WRONG_STATE')

/** Asks for a passkey, a code of the authenticator app or a recovery code, one at a time, with buttons for the others. */
export const FactorForm = ({ request, onAnswer, onBack, backLabel }: Props) => {
  const ways = request.factors.filter(factor => factor !== 'PASSKEY' || passkeysWork())
  const [way, setWay] = useState<Factor>(ways[0] ?? 'RECOVERY_CODE')
  const task = useTask(onAnswer)
  if (isOver(task.error)) {
    return (
      <div className="grid gap-5">
        <Alert tone="red">{messageOf(task.error, 'This took too long.')}</Alert>
        <Button className="w-full" onClick={onBack}>
          {backLabel}
        </Button>
      </div>
    )
  }
  const change = (next: Factor) => {
    task.reset()
    setWay(next)
  }
  return (
    <div className="grid gap-5">
      {way === 'PASSKEY' ? (
        <PasskeyWay request={request} onAnswer={onAnswer} />
      ) : (
        <CodeWay
          key={way}
          way={way}
          pending={task.pending}
          error={task.error}
          onCode={code => void task.run({ challenge: request.challenge, code })}
        />
      )}
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {ways
          .filter(each => each !== way)
          .map(each => (
            <Button key={each} variant="link" onClick={() => change(each)}>
              {otherWay[each]}
            </Button>
          ))}
        <Button variant="link" onClick={onBack}>
          {backLabel}
        </Button>
      </div>
    </div>
  )
}

const PasskeyWay = ({ request, onAnswer }: Pick<Props, 'request' | 'onAnswer'>) => {
  const { challenge, passkeyRequest } = request
  const task = useTask(async () => {
    if (passkeyRequest) await onAnswer({ challenge, assertion: await askPasskey(passkeyRequest) })
  })
  return (
    <div className="grid gap-5">
      <p className="text-muted-foreground">Your device will ask for your fingerprint, face or PIN.</p>
      {Boolean(task.error) && !task.pending && <Alert tone="red">{messageOf(task.error, 'Try again.')}</Alert>}
      <Button
        className="w-full"
        loading={task.pending}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only thing to do in this step
        autoFocus
        onClick={() => void task.run()}
      >
        Use a passkey
      </Button>
    </div>
  )
}

type CodeProps = { way: Factor; pending: boolean; error: unknown; onCode: (code: string) => void }

const CodeWay = ({ way, pending, error, onCode }: CodeProps) => {
  const form = useSchemaForm(schema, { code: '' })
  const recovery = way === 'RECOVERY_CODE'
  return (
    <Form
      form={form}
      onSubmit={({ code }) => onCode(code)}
      loading={pending}
      submitError={error}
      submitLabel="Confirm"
      errorFallback="We could not check the code. Please try again."
      wide
    >
      <Field
        of={form}
        name="code"
        label={recovery ? 'Recovery code' : 'Code'}
        hint={recovery ? 'One of the ten codes you saved. Each works once.' : 'Six digits from your authenticator app.'}
      >
        {control => (
          <Input
            autoComplete={recovery ? 'off' : 'one-time-code'}
            inputMode={recovery ? 'text' : 'numeric'}
            autoCapitalize="none"
            spellCheck={false}
            className="tabular-nums"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only thing to do in this step
            autoFocus
            {...control}
          />
        )}
      </Field>
    </Form>
  )
}
