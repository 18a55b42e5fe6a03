import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { SearchInput } from './SearchInput.tsx'

type Props = { search?: Omit<ComponentProps<typeof SearchInput>, 'className'>; className?: string; children: ReactNode }

/**
 * Goes above a list: the search, then its filters. They are below each other on a phone, and the filters go below the search
 * where they would be cut off.
 */
export const Toolbar = ({ search, className, children }: Props) => (
  <div className={clsx('mb-5 grid gap-3 sm:flex', search && 'sm:max-lg:flex-wrap', className)}>
    {search && <SearchInput className="col-span-full sm:max-lg:basis-full lg:max-w-md lg:flex-1" {...search} />}
    {children}
  </div>
)
