import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useTask } from '../task.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Form } from './Form.tsx'
import { isEntered, useDiscarding } from './discarding.tsx'

export type FormDialogProps<In extends FieldValues, Out> = {
  form: UseFormReturn<In, unknown, Out>
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /**
   * Sends the form. The dialog shows progress and failures, and closes on success; follow-ups (toast, refetch) belong
   * here.
   */
  onSubmit: (values: Out) => Promise<unknown>
  submitLabel: string
  submitVariant?: 'destructive'
  dismissLabel?: string
  children?: ReactNode
}

/**
 * A form in a dialog, which asks before it closes on something entered. Mount it when it opens, so that it starts with its
 * default values.
 */
export const FormDialog = <In extends FieldValues, Out>({
  form,
  onClose,
  title,
  description,
  onSubmit,
  submitLabel,
  submitVariant,
  dismissLabel = 'Cancel',
  children,
}: FormDialogProps<In, Out>) => {
  const task = useTask(onSubmit)
  const { dismiss, stay, question } = useDiscarding(isEntered(form), onClose)
  const submit = async (values: Out) => {
    stay()
    if (await task.run(values)) onClose()
  }
  return (
    <>
      <Dialog open onOpenChange={dismiss} title={title} description={description} locked={task.pending}>
        <Form
          form={form}
          onSubmit={values => void submit(values)}
          loading={task.pending}
          submitError={task.error}
          submitLabel={submitLabel}
          submitVariant={submitVariant ?? 'primary'}
          actions={
            <Button variant="outline" disabled={task.pending} onClick={dismiss}>
              {dismissLabel}
            </Button>
          }
        >
          {children}
        </Form>
      </Dialog>
      {question}
    </>
  )
}
