import type { ReactNode } from 'react'
import { messageOf } from '../apiError.ts'
import { useTask } from '../task.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { type DescriptionItem, DescriptionList } from './Card.tsx'
import { Dialog } from './Dialog.tsx'
import { DialogButtons } from './DialogButtons.tsx'

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
   * belong here.
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
  const confirm = async () => {
    if (await task.run()) onOpenChange(false)
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={description} locked={task.pending}>
      {items.length > 0 && <DescriptionList items={items} className="mb-4 rounded-md border bg-background px-3" />}
      {children}
      {Boolean(task.error) && (
        <Alert tone="red" className="mt-4">
          {messageOf(task.error, errorFallback)}
        </Alert>
      )}
      <DialogButtons className="mt-5">
        <Button variant="outline" disabled={task.pending} onClick={() => onOpenChange(false)}>
          {dismissLabel}
        </Button>
        <Button variant={tone} loading={task.pending} onClick={() => void confirm()}>
          {confirmLabel}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
