import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '../../kit/web/query.ts'

/** Wraps a component that loads data, as every signed-in screen is wrapped: `render(…, { wrapper: Queries })`. */
export const Queries = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)
