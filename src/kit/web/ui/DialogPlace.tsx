import { type ReactNode, Suspense, createContext, use, useLayoutEffect, useState } from 'react'

const Place = createContext<(dialog: ReactNode) => void>(() => {
  throw new Error('A dialog is opened outside of a DialogPlace')
})

/** Around a list or a screen: dialogs that its cards open stay, with what is typed in them, when their card is gone. */
export const DialogPlace = ({ children }: { children: ReactNode }) => {
  const [dialog, setDialog] = useState<ReactNode>(null)
  return (
    <Place value={setDialog}>
      {children}
      <Suspense>{dialog}</Suspense>
    </Place>
  )
}

/** The dialog about what was asked for: as its card draws it, and as it was drawn last once that is gone. */
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
