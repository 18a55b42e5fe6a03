import { ChevronRight, type LucideIcon } from 'lucide-react'
import { Link } from 'react-router'
import { Card } from '../../kit/web/ui/Card.tsx'

export type QuickAction = { label: string; hint: string; to: string; icon: LucideIcon }

/** A card of links to common tasks. */
export const QuickActions = ({ title, actions }: { title: string; actions: readonly QuickAction[] }) => (
  <Card title={title} flush>
    <ul className="divide-y">
      {actions.map(({ label, hint, to, icon: Icon }) => (
        <li key={label}>
          <Link
            to={to}
            className="flex items-center gap-3 px-5 py-3 transition-colors hover:bg-muted/60 focus-visible:-outline-offset-2"
          >
            <span className="grid size-8 shrink-0 place-items-center rounded-md bg-accent text-link">
              <Icon aria-hidden className="size-4" />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{label}</span>
              <span className="block text-xs text-muted-foreground">{hint}</span>
            </span>
            <ChevronRight aria-hidden className="size-4 shrink-0 text-muted-foreground" />
          </Link>
        </li>
      ))}
    </ul>
  </Card>
)
