import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Card } from '../../../kit/web/ui/Card.tsx'

type Props = Pick<ComponentProps<typeof Button>, 'disabled' | 'onClick'> & { children: ReactNode }

/** The card of the account's address without the address. */
export const EmailFrame = ({ children, ...button }: Props) => (
  <Card
    title="Email address"
    description="You sign in with this address, and we email you here."
    action={
      <Button variant="outline" size="sm" {...button}>
        Change<span className="sr-only"> email address</span>
      </Button>
    }
  >
    {children}
  </Card>
)
