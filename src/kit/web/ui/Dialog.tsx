import { Suspense, useState } from 'react'
import type { DialogProps } from './DialogWindow.tsx'
import { lazyParts } from './lazyParts.ts'

const parts = lazyParts(() => import('./DialogWindow.tsx'))

/** Loads what dialogs need before the first is opened. */
export const preloadDialog = parts.preload

const Window = (props: DialogProps) => {
  const { DialogWindow } = parts.use()
  return <DialogWindow {...props} />
}

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
        <Window {...props} />
      </Suspense>
    )
  )
}
