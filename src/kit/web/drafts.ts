/**
 * What users have written or picked and not sent yet. It is kept on this device for each of them, also after signing out, so that
 * nobody loses it.
 */
import { logFailure } from './log.ts'

/** Those with text, in local storage. Files are kept by `src/attachments/web/keptFiles.ts`. */
export type DraftKind = 'proofDraft' | 'appeal' | 'bugDraft' | 'bugComment' | 'versionDraft' | 'campaignDraft'

/** Ends with the user, because the next one who signs in on this device must not see it. */
export const draftKey = (kind: DraftKind, of: string | null, userId: string | undefined): string =>
  [kind, ...(of === null ? [] : [of]), userId].join(':')

/** Earlier versions of the page named some drafts without their user, who is the one who can open the form. */
export const adoptedKey = (kind: DraftKind, of: string, userId: string | undefined): string => {
  const [key, old] = [draftKey(kind, of, userId), `${kind}:${of}`]
  try {
    const kept = localStorage.getItem(old)
    if (kept !== null && localStorage.getItem(key) === null) localStorage.setItem(key, kept)
    if (kept !== null) localStorage.removeItem(old)
  } catch {
    // The old one stays where it is.
  }
  return key
}

/** `what` is "1 proof and 2 comments". */
export type Unsent = { count: number; what: string; files: number }

type Drafts = {
  /** Null if there are none. */
  unsentOf: (userId: string) => Promise<Unsent | null>
  /** Throws if some cannot be removed. */
  removeOf: (userId: string) => Promise<void>
}

let load: (() => Promise<Drafts>) | undefined

/** Called once, by the part of the page that knows every kind of draft. */
export const provideDrafts = (loader: () => Promise<Drafts>): void => {
  load = loader
}

/** Null also if they cannot be looked up: nobody is kept from signing out. */
export const unsentHere = async (userId: string): Promise<Unsent | null> => {
  try {
    return (await (await load?.())?.unsentOf(userId)) ?? null
  } catch (error) {
    logFailure('The drafts on this device cannot be looked up', error)
    return null
  }
}

export const removeUnsent = async (userId: string): Promise<void> => (await load?.())?.removeOf(userId)
