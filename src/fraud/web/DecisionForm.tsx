import { useMutation } from '@tanstack/react-query'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Textarea } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { Dismiss, Resolve } from '../contract.ts'
import { api, refreshFraud } from './calls.ts'

type Props = {
  id: string
  wish: 'resolve' | 'dismiss'
  onBusy: (busy: boolean) => void
  onBack: () => void
  onDone: () => void
}

export const DecisionForm = ({ wish, ...props }: Props) =>
  wish === 'resolve' ? <ResolveForm {...props} /> : <DismissForm {...props} />

type FormProps = Omit<Props, 'wish'>

/** While it runs, the window cannot be closed. The list is asked again after a refusal too: somebody else decided. */
const useDecision = <Body,>(decide: (body: Body) => Promise<unknown>, done: string, { onBusy, onDone }: FormProps) =>
  useMutation({
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

const ResolveForm = (props: FormProps) => {
  const { id, onBack } = props
  const form = useSchemaForm(Resolve, { resolution: '' })
  const resolve = useDecision(
    ({ resolution }: { resolution: string }) => api.resolve({ params: { id }, body: { resolution } }),
    'Report resolved',
    props,
  )
  return (
    <Form
      form={form}
      onSubmit={resolve.mutate}
      loading={resolve.isPending}
      submitError={resolve.error}
      submitLabel="Resolve report"
      errorFallback="Failed to resolve the report"
      actions={<Back onBack={onBack} disabled={resolve.isPending} />}
      className="mt-6 border-t pt-5"
    >
      <Field of={form} name="resolution" label="Resolution" hint="What was found, and what was done about it.">
        {control => (
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens because one asked for it
          <Textarea rows={3} maxLength={2000} autoFocus {...control} />
        )}
      </Field>
    </Form>
  )
}

const DismissForm = (props: FormProps) => {
  const { id, onBack } = props
  const form = useSchemaForm(Dismiss, { reason: '' })
  const dismiss = useDecision(
    ({ reason }: { reason: string }) => api.dismiss({ params: { id }, body: { reason } }),
    'Report dismissed',
    props,
  )
  return (
    <Form
      form={form}
      onSubmit={dismiss.mutate}
      loading={dismiss.isPending}
      submitError={dismiss.error}
      submitLabel="Dismiss report"
      errorFallback="Failed to dismiss the report"
      actions={<Back onBack={onBack} disabled={dismiss.isPending} />}
      className="mt-6 border-t pt-5"
    >
      <Field of={form} name="reason" label="Reason" hint="Why this is no fraud.">
        {control => (
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens because one asked for it
          <Textarea rows={3} maxLength={2000} autoFocus {...control} />
        )}
      </Field>
    </Form>
  )
}

const Back = ({ onBack, disabled }: { onBack: () => void; disabled: boolean }) => (
  <Button variant="outline" disabled={disabled} onClick={onBack}>
    Cancel
  </Button>
)
