/** For tests of what a dialog says: its library is there before it opens, as after a first dialog. */
import { beforeAll } from 'vitest'
import { preloadDialog } from '../../kit/web/ui/Dialog.tsx'

export const withDialogs = (): void =>
  beforeAll(async () => {
    preloadDialog()
    await import('../../kit/web/ui/DialogWindow.tsx')
  })
