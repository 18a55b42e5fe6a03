/** Text that is not sent yet, kept on the device across reloads. */
import { session } from '../../kit/web/session.ts'
import { dropStored, keepStored, readStored } from '../../kit/web/stored.ts'

const draftOf = <T extends object>(name: string, model: T) => {
  // The next user who signs in on this device does not see it.
  const key = `${name}:${session.user()?.id}`
  return {
    read: (): T | null => readStored(key, model),
    save: (written: T) => keepStored(key, written),
    drop: () => dropStored(key),
  }
}

export type WrittenBug = {
  title: string
  severity: string
  steps: string
  expected: string
  actual: string
  appVersion: string
}

export const emptyBug: WrittenBug = { title: '', severity: '', steps: '', expected: '', actual: '', appVersion: '' }

export const bugDraft = (testId: string) => draftOf(`bugDraft:${testId}`, emptyBug)

export const commentDraft = (bugId: string) => draftOf(`bugComment:${bugId}`, { text: '' })

/** "owner/name", as it was entered last. */
export const lastRepository = () => draftOf('bugRepository', { repository: '' })

/** Prefilled, because the app's version rarely changes between bugs. */
export const lastVersion = (testId: string) => draftOf(`bugVersion:${testId}`, { appVersion: '' })
