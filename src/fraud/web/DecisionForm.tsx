import { useMutation } from '@tanstack/react-query'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Textarea } from '../../kit/web/ui/Input.tsx'
import { isEntered, useTellEntered } from '../../kit/web/ui/FormDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { Dismiss, Resolve } from '../contract.ts'
import { api, refreshFraud } from './calls.ts'

type Props = {
  id: string
  decision: 'resolve' | 'dismiss'
  onBusy: (busy: boolean) => void
  onEntered: (isEntered: boolean) => void
  onBack: () => void
  onDone: () => void
}

export const DecisionForm = ({ decision, ...props }: Props) =>
  decision === 'resolve' ? <ResolveForm {...props} /> : <DismissForm {...props} />

type FormProps = Omit<Props, 'decision'>

const ResolveForm = ({ id, ...props }: FormProps) => (
  <TextForm
    {...props}
    form={useSchemaForm(Resolve, { resolution: '' })}
    name="resolution"
    label="Resolution"
    hint="Describe what you found and what you did about it."
    submitLabel="Resolve report"
    decide={body => api.resolve({ params: { id }, body })}
    done="Report resolved"
  />
)

const DismissForm = ({ id, ...props }: FormProps) => (
  <TextForm
    {...props}
    form={useSchemaForm(Dismiss, { reason: '' })}
    name="reason"
    label="Reason"
    hint="Explain why this is not fraud."
    submitLabel="Dismiss report"
    decide={body => api.dismiss({ params: { id }, body })}
    done="Report dismissed"
  />
)

type TextFormProps<In extends FieldValues, Out> = Omit<FormProps, 'id'> & {
  form: UseFormReturn<In, unknown, Out>
  name: FieldPath<In>
  label: string
  hint: string
  submitLabel: string
  decide: (body: Out) => Promise<unknown>
  done: string
}

/** The dialog stays open while the request runs. A refusal also reloads the list, because another admin may have decided. */
const TextForm = <In extends FieldValues, Out>({
  form,
  name,
  label,
  hint,
  submitLabel,
  decide,
  done,
  onBusy,
  onEntered,
  onBack,
  onDone,
}: TextFormProps<In, Out>) => {
  useTellEntered(isEntered(form), onEntered)
  const decision = useMutation({
    mutationFn: decide,
    onMutate: () => onBusy(true),
    onSettled: () => {
      onBusy(false)
      void refreshFraud()
    },
    onSuccess: () => {
      notify.success(done)
      onDone()
    },
  })
  return (
    <Form
      form={form}
      onSubmit={decision.mutate}
      loading={decision.isPending}
      submitError={decision.error}
      submitLabel={submitLabel}
      actions={
        <Button variant="outline" disabled={decision.isPending} onClick={onBack}>
          Cancel
        </Button>
      }
      className="mt-6 border-t pt-5"
    >
      <Field of={form} name={name} label={label} hint={hint}>
        {control => (
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens at the user's request
          <Textarea rows={3} maxLength={2000} autoFocus {...control} />
        )}
      </Field>
    </Form>
  )
}
