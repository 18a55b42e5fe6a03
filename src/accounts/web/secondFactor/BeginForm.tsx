import { z } from 'zod'
import { useTask } from '../../../kit/web/task.ts'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Field } from '../../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../../kit/web/ui/Form.tsx'
import { Input } from '../../../kit/web/ui/Input.tsx'
import { PasswordInput } from '../../../kit/web/ui/PasswordInput.tsx'
import { PasskeyName } from '../../secondFactorContract.ts'

const required = { error: 'Enter your current password' }
const schemaOf = (inForce: boolean, named: boolean) =>
  z.object({
    name: named ? PasskeyName : z.string(),
    currentPassword: inForce ? z.string() : z.string(required).min(1, required),
  })

type Props = {
  /** Then the step-up asks for a factor instead of the password. */
  inForce: boolean
  text: string
  /** Asks for a name, with this suggestion. */
  suggestedName?: string
  onBegin: (begin: { name: string; currentPassword?: string }) => Promise<void>
  onCancel: () => void
}

/** The first step of every new factor. */
export const BeginForm = ({ inForce, text, suggestedName, onBegin, onCancel }: Props) => {
  const named = suggestedName !== undefined
  const form = useSchemaForm(schemaOf(inForce, named), { name: suggestedName ?? '', currentPassword: '' })
  const task = useTask(onBegin)
  return (
    <Form
      form={form}
      onSubmit={({ name, currentPassword }) => void task.run({ name, ...(!inForce && { currentPassword }) })}
      loading={task.pending}
      submitError={task.error}
      submitLabel="Continue"
      errorFallback="Something went wrong. Please try again."
      actions={
        <Button variant="outline" disabled={task.pending} onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <p>{text}</p>
      {named && (
        <Field of={form} name="name" label="Name" hint="So that you recognize it in the list.">
          {control => <Input autoComplete="off" {...control} />}
        </Field>
      )}
      {!inForce && (
        <Field of={form} name="currentPassword" label="Current password">
          {control => <PasswordInput autoComplete="current-password" {...control} />}
        </Field>
      )}
    </Form>
  )
}
