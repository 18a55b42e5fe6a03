/** What an admin decides on a card: a button for each decision, and the dialog of the one that was pressed. */
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { usePlacedDialog } from './DialogPlace.tsx'

type Props<Decision extends string, T> = Omit<ComponentProps<typeof Card>, 'footer'> & {
  of: T
  buttons: Record<Decision, { label: string; variant?: 'outline' }>
  /** What can be decided now, in this order; all, unless told. */
  decisions?: readonly Decision[]
  /** Several are on the screen, and screen readers hear which one. */
  named?: string
  /** Beside the buttons. */
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
  // Also when nothing can be decided any more: the open dialog says that another admin was first.
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
