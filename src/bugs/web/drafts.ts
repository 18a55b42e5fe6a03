/** What is written and not sent yet, kept on the device across reloads. */
import { session } from '../../kit/web/session.ts'
import { dropStored, keepStored, readStored } from '../../kit/web/stored.ts'

const draftOf = <T extends object>(name: string, model: T) => {
  // Whoever signs in next on this device does not find it.
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

/** "owner/name", as of the last time. */
export const lastRepository = () => draftOf('bugRepository', { repository: '' })

/** The app's version does not change from bug to bug. */
export const lastVersion = (testId: string) => draftOf(`bugVersion:${testId}`, { appVersion: '' })
