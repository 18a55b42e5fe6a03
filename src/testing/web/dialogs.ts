/** For tests of what a dialog says: loads the dialog's library first, as an earlier dialog would have done. */
import { beforeAll } from 'vitest'
import { preloadDialog } from '../../kit/web/ui/Dialog.tsx'

export const withDialogs = (): void =>
  beforeAll(async () => {
    preloadDialog()
    await import('../../kit/web/ui/DialogWindow.tsx')
  })
