import { session } from '../../kit/web/session.ts'
import { dropFiles as dropKept, dropOthers } from './keptFiles.ts'

const placeOf = (draft: string) => `${session.user()?.id}:${draft}`

/** The draft was sent, so this device need not keep its files any longer. */
export const dropFiles = (draft: string): Promise<void> => dropKept(placeOf(draft))

/** Drops all drafts whose name begins like this, except one. */
export const dropOtherFiles = (beginning: string, draft: string): Promise<void> =>
  dropOthers(placeOf(beginning), placeOf(draft))
