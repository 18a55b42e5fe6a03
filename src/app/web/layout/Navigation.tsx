import { clsx } from 'clsx'
import { Link, useLocation } from 'react-router'
import { useUser } from '../../../kit/web/user.ts'
import { currentItem, navigation } from './navigation.ts'

/** In the side bar, or in a phone's bottom bar. */
export const Navigation = ({ look }: { look: 'side' | 'bottom' }) => {
  const all = navigation[useUser().role]
  const items = look === 'side' ? all : all.filter(({ short }) => short !== null)
  const current = currentItem(items, useLocation())
  return (
    <nav aria-label="Main">
      <ul className={look === 'side' ? 'grid gap-0.5' : 'flex'}>
        {items.map(item => (
          <li key={item.label} className="min-w-0 flex-1">
            <Link
              to={item.to}
              aria-current={item === current ? 'page' : undefined}
              aria-label={look === 'bottom' ? item.label : undefined}
              className={clsx(
                'flex items-center font-medium transition-colors',
                item === current ? 'text-foreground' : 'text-muted-foreground hover:text-foreground',
                look === 'side' && 'h-9 gap-2.5 rounded-md px-2.5',
                look === 'side' && (item === current ? 'bg-secondary' : 'hover:bg-muted'),
                look === 'bottom' &&
                  'h-16 flex-col justify-center gap-1 px-0.5 text-[0.6875rem] focus-visible:-outline-offset-2',
              )}
            >
              <item.icon
                aria-hidden
                className={clsx('shrink-0', look === 'side' ? 'size-4' : 'size-5', item === current && 'text-link')}
              />
              <span className="max-w-full truncate">{look === 'side' ? item.label : item.short}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
