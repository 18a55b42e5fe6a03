import { type ReactNode, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useTask } from '../task.ts'
import { Button } from './Button.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Dialog } from './Dialog.tsx'
import { Form } from './Form.tsx'

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
  const [asked, setAsked] = useState(false)
  const submit = async (values: Out) => {
    setAsked(false)
    if (await task.run(values)) onClose()
  }
  // Not `isDirty`, for which a field without a default differs from none.
  const isEntered = Object.keys(form.formState.dirtyFields).length > 0
  const dismiss = () => (isEntered ? setAsked(true) : onClose())
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
      {/* After the form's, whose opener then gets the focus first. */}
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title="Discard what you entered?"
        description="It will be lost when this dialog closes."
        confirmLabel="Discard"
        dismissLabel="Keep editing"
        onConfirm={async () => onClose()}
      />
    </>
  )
}
