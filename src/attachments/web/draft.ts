import { session } from '../../kit/web/session.ts'
import { dropFiles as dropKept, dropOthers } from './keptFiles.ts'

const placeOf = (draft: string) => `${session.user()?.id}:${draft}`

/** The draft has been sent: its files need not be kept on this device any more. */
export const dropFiles = (draft: string): Promise<void> => dropKept(placeOf(draft))

/** Drafts whose name begins so are over, but for this one. */
export const dropOtherFiles = (beginning: string, draft: string): Promise<void> =>
  dropOthers(placeOf(beginning), placeOf(draft))
