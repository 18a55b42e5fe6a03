import { type ReactNode, useState } from 'react'
import { isUncertain, messageOf } from '../apiError.ts'
import { useTask } from '../task.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { type DescriptionItem, DescriptionList } from './Card.tsx'
import { Dialog } from './Dialog.tsx'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  /** For money: amount, destination, what will be left. */
  items?: readonly DescriptionItem[]
  /** Names the deed, with the amount: "Pay $115.00". */
  confirmLabel: string
  /** Leaves all as it is. */
  dismissLabel?: string
  tone?: 'primary' | 'destructive'
  /**
   * The deed. The dialog shows that it runs and why it failed, and closes when it is done; what follows (toast,
   * navigation, refetch) belongs in here. The key is for endpoints that move money: it stays the same when one tries
   * again after no clear answer came, so that nothing is paid twice.
   */
  onConfirm: (idempotencyKey: string) => Promise<unknown>
  errorFallback?: string
  children?: ReactNode
}

/** Asks before what cannot be taken back, and before every move of money. */
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
  errorFallback = 'That did not work. Please try again.',
  children,
}: Props) => {
  const [attempt, setAttempt] = useState({ deed: '', key: '' })
  const task = useTask(onConfirm)

  const confirm = async () => {
    // The label carries the amount: another amount is another deed and needs a key of its own.
    const again = isUncertain(task.error) && attempt.deed === confirmLabel
    const key = again ? attempt.key : newKey()
    setAttempt({ deed: confirmLabel, key })
    if (await task.run(key)) onOpenChange(false)
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
      <div className="mt-5 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="outline" disabled={task.pending} onClick={() => onOpenChange(false)}>
          {dismissLabel}
        </Button>
        <Button variant={tone} loading={task.pending} onClick={() => void confirm()}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}

/** `crypto.randomUUID` is missing on pages without TLS. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(16).padStart(8, '0')).join('')
