import { type ReactNode, useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useTask } from '../task.ts'
import { Button } from './Button.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Dialog } from './Dialog.tsx'
import { Form } from './Form.tsx'
import { useRefusedForGood } from './refusedForGood.ts'

export type FormDialogProps<In extends FieldValues, Out> = {
  form: UseFormReturn<In, unknown, Out>
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /**
   * Sends the form. The dialog shows progress and failures, and closes on success; follow-ups (toast, refetch) belong
   * here. Refused for good, all that is left is to close the dialog, which reloads what is on screen.
   */
  onSubmit: (values: Out) => Promise<unknown>
  submitLabel: string
  submitVariant?: 'destructive'
  dismissLabel?: string
  children?: ReactNode
}

/**
 * A form in a dialog, which asks before it discards anything entered. Mount it when it opens, so that it starts with its default
 * values.
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
  const { over, ref, closed } = useRefusedForGood(task.error, { isForm: true })
  // What was entered can no longer be sent.
  const { dismiss, stay, question } = useDiscarding(isEntered(form) && !over, () => {
    closed()
    onClose()
  })
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
          over={over}
          actions={
            <Button ref={ref} variant="outline" disabled={task.pending} onClick={dismiss}>
              {over ? 'Close' : dismissLabel}
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

/** Not `isDirty`, which is true for a field without a default, even if it is empty. */
export const isEntered = <In extends FieldValues, Out>({ formState }: UseFormReturn<In, unknown, Out>): boolean =>
  Object.keys(formState.dirtyFields).length > 0

/**
 * For a dialog with a form: `dismiss` closes it, but asks first if something was entered; `leave` does the same for another way
 * out of the form. Render `question` after the form's dialog, so that dialog's opener gets the focus first.
 */
export const useDiscarding = (entered: boolean, onClose: () => void) => {
  const [way, setWay] = useState<{ out: () => void } | null>(null)
  const leave = (out: () => void) => (entered ? setWay({ out }) : out())
  const stay = () => setWay(null)
  return {
    dismiss: () => leave(onClose),
    leave,
    stay,
    question: (
      <ConfirmDialog
        open={way !== null}
        onOpenChange={stay}
        title="Discard what you entered?"
        description="It will be lost."
        confirmLabel="Discard"
        dismissLabel="Keep editing"
        onConfirm={async () => way?.out()}
      />
    ),
  }
}

/** Tells the dialog around a form that is loaded later whether something was entered in it. */
export const useTellEntered = (entered: boolean, tell: (entered: boolean) => void) => {
  useEffect(() => {
    tell(entered)
    return () => tell(false)
  }, [entered, tell])
}
