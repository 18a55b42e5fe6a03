import { Search } from 'lucide-react'
import { Suspense, lazy, useCallback, useState } from 'react'
import { Key } from '../../../kit/web/ui/Key.tsx'
import { WhileLoading } from '../../../kit/web/ui/WhileLoading.tsx'
import { isMac } from './shortcuts.ts'
import { useShortcuts } from './useShortcuts.ts'

const CommandPalette = lazy(async () => ({ default: (await import('./CommandPalette.tsx')).CommandPalette }))
const ShortcutSheet = lazy(async () => ({ default: (await import('./ShortcutSheet.tsx')).ShortcutSheet }))

type Shown = 'palette' | 'sheet' | null

/** Keyboard access to everything: the palette, the list of shortcuts, and the keys themselves. */
export const QuickSearch = () => {
  const [shown, setShown] = useState<Shown>(null)
  const close = useCallback(() => setShown(null), [])
  useShortcuts(setShown)
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts={isMac() ? 'Meta+K' : 'Control+K'}
        onClick={() => setShown('palette')}
        className="inline-flex size-9 items-center justify-center gap-2 rounded-md text-muted-foreground hover:bg-muted hover:text-foreground md:h-8 md:w-64 md:justify-start md:border md:border-input md:bg-card md:px-2.5 md:shadow-card"
      >
        <Search aria-hidden className="size-4 shrink-0" />
        <span className="whitespace-nowrap max-md:sr-only">Search or jump to…</span>
        <span aria-hidden className="ml-auto hidden md:inline">
          <Key>{isMac() ? '⌘' : 'Ctrl'} K</Key>
        </span>
      </button>
      <Suspense fallback={<WhileLoading onGiveUp={close} />}>
        {shown === 'palette' && <CommandPalette onClose={close} onShowKeys={() => setShown('sheet')} />}
        {shown === 'sheet' && <ShortcutSheet onClose={close} />}
      </Suspense>
    </>
  )
}
