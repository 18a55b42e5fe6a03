/** The drafts of all slices on this device, by user. Loaded when somebody signs out. */
import { dropFilesOf, keptFilesOf } from '../../attachments/web/keptFiles.ts'
import type { DraftKind, Unsent } from '../../kit/web/drafts.ts'
import { dropStored } from '../../kit/web/stored.ts'
import { allOf, counted } from '../../kit/words.ts'

const textNouns: Record<DraftKind, string> = {
  proofDraft: 'proof',
  appeal: 'appeal',
  bugDraft: 'bug report',
  bugComment: 'comment',
  versionDraft: 'version',
  campaignDraft: 'campaign',
}

/** By the first word of what `useUploads` is given. */
const fileNouns: Record<string, string> = {
  proof: 'proof',
  appeal: 'appeal',
  bug: 'bug report',
  'bug-comment': 'comment',
  'check-in': 'check-in',
  'opt-in': 'opt-in',
}

const nounOf = (key: string): string | undefined => textNouns[key.split(':')[0] as DraftKind]

const textKeysOf = (userId: string): string[] => {
  try {
    return Object.keys(localStorage).filter(key => key.endsWith(`:${userId}`) && nounOf(key) !== undefined)
  } catch {
    return []
  }
}

/** A form that was filled in and emptied again has nothing to lose. */
const isBlank = (value: unknown): boolean => {
  if (typeof value === 'string') return value.trim() === ''
  if (typeof value !== 'object' || value === null) return value === null
  return Object.values(value).every(isBlank)
}

const isWritten = (key: string): boolean => {
  try {
    return !isBlank(JSON.parse(localStorage.getItem(key) ?? 'null'))
  } catch {
    return true
  }
}

export const unsentOf = async (userId: string): Promise<Unsent | null> => {
  const files = await keptFilesOf(userId)
  // A text and its files are one draft.
  const drafts = new Map<string, string>()
  for (const key of textKeysOf(userId).filter(isWritten)) {
    const noun = nounOf(key)!
    drafts.set(`${noun}:${key.split(':')[1]}`, noun)
  }
  for (const { place } of files) {
    const [, kind = '', of = ''] = place.split(':')
    const noun = fileNouns[kind] ?? 'draft'
    drafts.set(`${noun}:${of}`, noun)
  }
  if (drafts.size === 0) return null
  const byNoun = Map.groupBy(drafts.values(), noun => noun)
  const what = allOf([...byNoun].map(([noun, all]) => counted(all.length, noun)))
  return { count: drafts.size, what, files: files.length }
}

export const removeOf = async (userId: string): Promise<void> => {
  for (const key of textKeysOf(userId)) dropStored(key)
  await dropFilesOf(userId)
  if (await unsentOf(userId)) {
    throw new Error('This browser did not remove the drafts. Clear its data for this site to remove them.')
  }
}
