import { type ReactNode, Suspense, lazy, useState } from 'react'

export type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  wide?: boolean
  locked?: boolean
  children?: ReactNode
}

const DialogWindow = lazy(async () => ({ default: (await import('./DialogWindow.tsx')).DialogWindow }))

/**
 * A modal window; a sheet from below on a phone. `locked` while something runs: it then cannot be closed.
 * Its library is loaded when it first opens.
 */
export const Dialog = (props: DialogProps) => {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return (
    wanted && (
      <Suspense>
        <DialogWindow {...props} />
      </Suspense>
    )
  )
}
