import { type ReactNode, Suspense, createContext, use, useLayoutEffect, useState } from 'react'

const Place = createContext<(dialog: ReactNode) => void>(() => {
  throw new Error('A dialog is opened outside of a DialogPlace')
})

/** Wraps a list or a screen: a dialog that one of its cards opens stays, with what is typed in it, after the card is gone. */
export const DialogPlace = ({ children }: { children: ReactNode }) => {
  const [dialog, setDialog] = useState<ReactNode>(null)
  return (
    <Place value={setDialog}>
      {children}
      <Suspense>{dialog}</Suspense>
    </Place>
  )
}

/** The dialog about what was asked for, as its card renders it, or as it last did once the card is gone. */
export const usePlacedDialog = <Asked,>(dialogOf: (asked: Asked, onClose: () => void) => ReactNode) => {
  const place = use(Place)
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => {
    setAsked(null)
    place(null)
  }
  useLayoutEffect(() => {
    if (asked !== null) place(dialogOf(asked, close))
  })
  return setAsked
}
