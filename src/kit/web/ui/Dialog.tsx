import { Suspense, useState } from 'react'
import type { DialogProps } from './DialogWindow.tsx'
import { lazyParts } from './lazyParts.ts'
import { WhileLoading } from './WhileLoading.tsx'

const parts = lazyParts(() => import('./DialogWindow.tsx'))

/** Preloads the dialogs' library. */
export const preloadDialog = parts.preload

const Window = (props: DialogProps) => {
  const { DialogWindow } = parts.use()
  return <DialogWindow {...props} />
}

/** A modal dialog; a bottom sheet on a phone. While `locked` it cannot be closed. Its library is loaded when it first opens. */
export const Dialog = (props: DialogProps) => {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return (
    wanted && (
      <Suspense fallback={props.open && <WhileLoading onGiveUp={() => props.onOpenChange(false)} />}>
        <Window {...props} />
      </Suspense>
    )
  )
}
