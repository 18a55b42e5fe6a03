/** What an admin's queues share: pages of cards, the oldest first, and what it says when nothing waits. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { ComponentType } from 'react'
import type { Page } from '../../kit/endpoint.ts'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'

type Props<T> = {
  of: UseInfiniteQueryResult<InfiniteData<Page<T>>>
  /** "appeals". */
  noun: string
  hint: string
  skeleton: string
  Item: ComponentType<{ of: T }>
}

export const QueueFrame = <T extends { id: string }>({ of, noun, hint, skeleton, Item }: Props<T>) => (
  <InfiniteQuery
    of={of}
    loading={<SkeletonList className={skeleton} />}
    errorTitle={`Failed to load ${noun}`}
    empty={<EmptyState icon={<CircleCheck aria-hidden />} title={`No ${noun}`} hint={hint} />}
  >
    {items => (
      <ul className="grid gap-4">
        {items.map(item => (
          <li key={item.id} className="min-w-0">
            <Item of={item} />
          </li>
        ))}
      </ul>
    )}
  </InfiniteQuery>
)
