import { Suspense, cloneElement, lazy, useState } from 'react'
import type { DropdownMenuProps } from './MenuParts.tsx'
import { WhileLoading } from './WhileLoading.tsx'

type Parts = typeof import('./MenuParts.tsx')

const parts = () => import('./MenuParts.tsx')
const MenuWindow = lazy(async () => ({ default: (await parts()).MenuWindow }))

/**
 * `trigger` is a single button; the children are MenuItem, MenuChoice and MenuSeparator. The first click loads the library and
 * then opens the menu.
 */
export const DropdownMenu = (props: DropdownMenuProps) => {
  const [wanted, setWanted] = useState(false)
  const closed = cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
  })
  if (!wanted) return closed
  return (
    <Suspense
      fallback={
        <>
          {closed}
          <WhileLoading onGiveUp={() => setWanted(false)} />
        </>
      }
    >
      <MenuWindow {...props} />
    </Suspense>
  )
}

export const MenuItem = lazy(async () => ({ default: (await parts()).MenuItem }))
/** Restores the generic parameter, which `lazy` drops. */
export const MenuChoice = lazy(async () => ({ default: (await parts()).MenuChoice })) as unknown as Parts['MenuChoice']
export const MenuSeparator = lazy(async () => ({ default: (await parts()).MenuSeparator }))
