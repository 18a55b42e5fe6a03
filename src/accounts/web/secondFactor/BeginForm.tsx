import { z } from 'zod'
import type { Task } from '../../../kit/web/task.ts'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Field } from '../../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../../kit/web/ui/Form.tsx'
import { Input } from '../../../kit/web/ui/Input.tsx'
import { PasskeyName } from '../../secondFactorContract.ts'
import { OwnPasswordInput } from '../OwnPasswordInput.tsx'

const required = { error: 'Enter your current password' }
const schemaOf = (inForce: boolean, named: boolean) =>
  z.object({
    name: named ? PasskeyName : z.string(),
    currentPassword: inForce ? z.string() : z.string(required).min(1, required),
  })

type Props = {
  /** If true, the step-up asks for a factor instead of the password. */
  inForce: boolean
  text: string
  /** If given, the form asks for a name and suggests this one. */
  suggestedName?: string
  /**
   * Belongs to the dialog, which cannot be closed while this runs, because the reply may contain codes that are shown only once.
   */
  begin: Task<[{ name: string; currentPassword?: string }]>
  onCancel: () => void
}

/** The first step of setting up any factor. */
export const BeginForm = ({ inForce, text, suggestedName, begin, onCancel }: Props) => {
  const named = suggestedName !== undefined
  const form = useSchemaForm(schemaOf(inForce, named), { name: suggestedName ?? '', currentPassword: '' })
  return (
    <Form
      form={form}
      onSubmit={({ name, currentPassword }) => void begin.run({ name, ...(!inForce && { currentPassword }) })}
      loading={begin.pending}
      submitError={begin.error}
      submitLabel="Continue"
      errorFallback="Something went wrong. Please try again."
      actions={
        <Button variant="outline" disabled={begin.pending} onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <p>{text}</p>
      {named && (
        <Field of={form} name="name" label="Name" hint="Helps you recognize it in the list.">
          {control => <Input autoComplete="off" {...control} />}
        </Field>
      )}
      {!inForce && (
        <Field of={form} name="currentPassword" label="Current password">
          {control => <OwnPasswordInput {...control} />}
        </Field>
      )}
    </Form>
  )
}
