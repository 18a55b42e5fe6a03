/** A card on which an admin decides: a button for each decision, and the dialog of the one that was pressed. */
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { usePlacedDialog } from './DialogPlace.tsx'

type Props<Decision extends string, T> = Omit<ComponentProps<typeof Card>, 'footer'> & {
  of: T
  buttons: Record<Decision, { label: string; variant?: 'outline' }>
  /** What can be decided now, in this order; everything by default. */
  decisions?: readonly Decision[]
  /** Tells screen readers which of several cards on the screen a button belongs to. */
  named?: string
  /** Shown beside the buttons. */
  more?: ReactNode
  /** Loaded when a button is pressed. */
  dialog: ComponentType<{ decision: Decision; of: T; onClose: () => void }>
}

export const DecisionCard = <Decision extends string, T>({
  of,
  buttons,
  decisions = Object.keys(buttons) as Decision[],
  named,
  more,
  dialog: Dialog,
  children,
  ...card
}: Props<Decision, T>) => {
  // Placed even if nothing can be decided anymore, because the open dialog then says that another admin was first.
  const ask = usePlacedDialog((decision: Decision, onClose) => <Dialog decision={decision} of={of} onClose={onClose} />)
  return (
    <Card
      {...card}
      footer={
        (decisions.length > 0 || more) && (
          <div className="flex flex-wrap gap-2">
            {decisions.map(decision => (
              <Button
                key={decision}
                variant={buttons[decision].variant}
                aria-label={named && `${buttons[decision].label}: ${named}`}
                onClick={() => ask(decision)}
              >
                {buttons[decision].label}
              </Button>
            ))}
            {more}
          </div>
        )
      }
    >
      {children}
    </Card>
  )
}
