import { type QueryKey, useMutation } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { invalidate } from '../query.ts'
import { Button } from './Button.tsx'

/**
 * Asks again for what is under `of`, and shows that it does. It shows nothing while a screen asks by itself, as each visit does
 * behind what is in the cache. `compact`: an icon alone on phones.
 */
export const RefreshButton = ({ of, compact }: { of: QueryKey; compact?: boolean }) => {
  const refresh = useMutation({ mutationFn: () => invalidate(of) })
  return (
    <Button variant="outline" loading={refresh.isPending} onClick={() => refresh.mutate()}>
      <RefreshCw aria-hidden /> <span className={compact ? 'max-sm:sr-only' : undefined}>Refresh</span>
    </Button>
  )
}
