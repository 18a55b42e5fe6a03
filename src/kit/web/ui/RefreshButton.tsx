import { type QueryKey, useMutation } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { invalidate } from '../query.ts'
import { Button } from './Button.tsx'

/**
 * Reloads what is under `of`, and is busy meanwhile, but not while a screen reloads on its own, as each visit does behind the
 * cached data. `compact` shows only an icon on phones.
 */
export const RefreshButton = ({ of, compact }: { of: QueryKey; compact?: boolean }) => {
  const refresh = useMutation({ mutationFn: () => invalidate(of) })
  return (
    <Button variant="outline" loading={refresh.isPending} onClick={() => refresh.mutate()}>
      <RefreshCw aria-hidden /> <span className={compact ? 'max-sm:sr-only' : undefined}>Refresh</span>
    </Button>
  )
}
