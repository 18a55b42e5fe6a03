import { useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { ConfirmDialog } from './ConfirmDialog.tsx'

/** Not `isDirty`, for which a field without a default differs from none. */
export const isEntered = <In extends FieldValues, Out>({ formState }: UseFormReturn<In, unknown, Out>): boolean =>
  Object.keys(formState.dirtyFields).length > 0

/**
 * For a dialog with a form: `dismiss` closes it, and asks first once something was entered; `leave` does the same for
 * another way out of the form. `question` stands after the form's dialog, whose opener then gets the focus first.
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
