import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '../../kit/web/query.ts'

/** Around what a test renders that asks for data, as around every signed-in screen: `render(…, { wrapper: Queries })`. */
export const Queries = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)
