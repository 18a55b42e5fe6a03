import { session } from '../../kit/web/session.ts'
import { dropFiles as dropKept } from './keptFiles.ts'

/** The draft has been sent: its files need not be kept on this device any more. */
export const dropFiles = (draft: string): Promise<void> => dropKept(`${session.user()?.id}:${draft}`)
