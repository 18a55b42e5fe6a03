import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Card } from '../../kit/web/ui/Card.tsx'

type Props = {
  id: string
  title: ReactNode
  /** Of the developer. */
  name: ReactNode
  /** A long name ends in an ellipsis, and is shown in full on hover. */
  wholeName?: string
  /** What follows the name. */
  facts: ReactNode
  badge: ReactNode
  buttons: ReactNode
  children: ReactNode
}

/** The card of a case that waits for an admin, also for the document (shells.tsx). */
export const PendingFrame = ({ id, title, name, wholeName, facts, badge, buttons, children }: Props) => (
  <Card
    title={
      <Link to={paths.campaign(id)} className="wrap-anywhere hover:underline">
        {title}
      </Link>
    }
    description={
      <>
        <span className="inline-block max-w-full truncate align-bottom" data-tip={wholeName}>
          {name}
        </span>
        {facts}
      </>
    }
    action={badge}
    footer={buttons}
  >
    {children}
  </Card>
)

export const PendingDescription = ({ children }: { children: ReactNode }) => (
  <p className="line-clamp-6 max-w-prose whitespace-pre-line wrap-anywhere">{children}</p>
)
