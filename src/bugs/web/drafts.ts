/** Text that is not sent yet, kept on the device across reloads. */
import { draftKey } from '../../kit/web/drafts.ts'
import { session } from '../../kit/web/session.ts'
import { dropStored, keepStored, readStored } from '../../kit/web/stored.ts'

const storedAs = <T extends object>(key: string, model: T) => ({
  read: (): T | null => readStored(key, model),
  save: (written: T) => keepStored(key, written),
  drop: () => dropStored(key),
})

const userId = () => session.user()?.id

export type WrittenBug = {
  title: string
  severity: string
  steps: string
  expected: string
  actual: string
  appVersion: string
}

export const emptyBug: WrittenBug = { title: '', severity: '', steps: '', expected: '', actual: '', appVersion: '' }

export const bugDraft = (testId: string) => storedAs(draftKey('bugDraft', testId, userId()), emptyBug)

export const commentDraft = (bugId: string) => storedAs(draftKey('bugComment', bugId, userId()), { text: '' })

/** "owner/name", as it was entered last. */
export const lastRepository = () => storedAs(`bugRepository:${userId()}`, { repository: '' })

/** Prefilled, because the app's version rarely changes between bugs. */
export const lastVersion = (testId: string) => storedAs(`bugVersion:${testId}:${userId()}`, { appVersion: '' })
