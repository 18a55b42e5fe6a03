/** What the queues of admins share: pages of cards, oldest first, and a message when nothing waits. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Page } from '../../endpoint.ts'
import { DialogPlace } from './DialogPlace.tsx'
import { InfiniteQuery } from './Query.tsx'
import { EmptyState, SkeletonList } from './States.tsx'

type Props<T> = {
  of: UseInfiniteQueryResult<InfiniteData<Page<T>>>
  /** Such as "appeals". */
  noun: string
  /** The title when nothing waits, if not "No" and the noun. */
  emptyTitle?: string
  hint: string
  /** The size of a card while the list loads. */
  skeleton: string
  children: (item: T) => ReactNode
}

export const QueueFrame = <T extends { id: string }>({
  of,
  noun,
  emptyTitle = `No ${noun}`,
  hint,
  skeleton,
  children,
}: Props<T>) => (
  <DialogPlace>
    <InfiniteQuery
      of={of}
      inSteps
      loading={<SkeletonList className={skeleton} />}
      errorTitle={`Failed to load ${noun}`}
      empty={<EmptyState icon={<CircleCheck aria-hidden />} title={emptyTitle} hint={hint} />}
    >
      {(items, drawn) => (
        <ul className="grid gap-4">
          {items.slice(0, drawn).map(item => (
            <li key={item.id} className="min-w-0">
              {children(item)}
            </li>
          ))}
        </ul>
      )}
    </InfiniteQuery>
  </DialogPlace>
)
