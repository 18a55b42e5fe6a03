import type { ReactNode } from 'react'
import { messageOf } from '../apiError.ts'
import { useTask } from '../task.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { type DescriptionItem, DescriptionList } from './Card.tsx'
import { Dialog } from './Dialog.tsx'
import { DialogButtons } from './DialogButtons.tsx'
import { useRefusedForGood } from './refusedForGood.ts'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  /** For money: amount, destination, remaining balance. */
  items?: readonly DescriptionItem[]
  /** Names the action, with the amount: "Pay $115.00". */
  confirmLabel: string
  dismissLabel?: string
  tone?: 'primary' | 'destructive'
  /**
   * The action. The dialog shows progress and failures, and closes on success; follow-ups (toast, navigation, refetch)
   * belong here. Refused for good, all that is left is to close the dialog, which reloads what is on screen.
   */
  onConfirm: () => Promise<unknown>
  /** Shown if the answer has no message, such as the spec's "Withdrawal failed". Without it, `HTTP {status}` is shown. */
  errorFallback?: string
  children?: ReactNode
}

/** Confirms irreversible actions and every movement of money. */
export const ConfirmDialog = ({
  open,
  onOpenChange,
  title,
  description,
  items = [],
  confirmLabel,
  dismissLabel = 'Cancel',
  tone = 'primary',
  onConfirm,
  errorFallback,
  children,
}: Props) => {
  const task = useTask(onConfirm)
  const { over, ref, closed } = useRefusedForGood(task.error, { isForm: false })
  const close = () => {
    closed()
    task.reset()
    onOpenChange(false)
  }
  const confirm = async () => {
    if (await task.run()) onOpenChange(false)
  }
  return (
    <Dialog open={open} onOpenChange={close} title={title} description={description} locked={task.pending}>
      {items.length > 0 && <DescriptionList items={items} className="mb-4 rounded-md border bg-background px-3" />}
      {children}
      {Boolean(task.error) && (
        <Alert tone="red" className="mt-4">
          {messageOf(task.error, errorFallback)}
        </Alert>
      )}
      <DialogButtons className="mt-5">
        <Button ref={ref} variant="outline" disabled={task.pending} onClick={close}>
          {over ? 'Close' : dismissLabel}
        </Button>
        {!over && (
          <Button variant={tone} loading={task.pending} onClick={() => void confirm()}>
            {confirmLabel}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  )
}
