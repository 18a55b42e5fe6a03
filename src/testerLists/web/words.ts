/** The words for the same steps with a list in Play Console and with a Google Group. */
import { type ListPlace, listPlaceOf } from '../../campaigns/listPlace.ts'
import type { AccessMode } from '../../campaigns/terms.ts'
import { accessWords } from '../../participations/accessWords.ts'
import { accessProblems } from '../../participations/terms.ts'
import { allOf } from '../../kit/words.ts'
import type { ListEntry, TesterList } from '../contract.ts'

type Steps = {
  intro: string
  whole: string
  changes: string
  warning: string | null
  /** Follows the names of the testers whom the whole list does not contain. */
  missing: string
  /** When the owner may confirm the export of the whole list. */
  matches: string
}

const emailList: Steps = {
  intro: 'Testers can open your closed test once their Google account is on its email list in Play Console.',
  whole:
    'Every address that belongs on the list, one per line. In Play Console, open your closed test, then Testers and your email list, and upload this file.',
  changes: 'For reading and copying: add the new addresses to the email list, and delete the removed ones.',
  warning:
    'Play Console replaces its list with the file that you upload. A file of the changes alone would remove everyone else from your test.',
  missing: 'uploading it takes them off the list',
  matches: 'this file has replaced the list in Play Console',
}

const group: Steps = {
  intro: 'Testers can open your closed test once their Google account is a member of your Google Group.',
  whole: 'Every address that belongs in the group, one per line: for checking the group’s members against it.',
  changes:
    'Paste the new addresses into “Add members” of your group, and remove the members listed for removal. Choose direct adding, so that nobody has to accept an invitation.',
  warning: null,
  missing: 'an address that is missing there may be theirs, and removing it takes them out of the group',
  matches: 'your Google Group has exactly the members in that file',
}

export const placeOf = (mode: AccessMode): Steps & ListPlace => ({
  ...listPlaceOf(mode),
  ...(mode === 'GOOGLE_GROUP' ? group : emailList),
})

/** For testers who reported that Google Play does not let them in: a paragraph for each problem, with what to check. */
export const keptOutWords = (entries: readonly ListEntry[], mode: AccessMode): string[] =>
  accessProblems.flatMap(problem => {
    const aliases = entries.filter(({ notLetIn }) => notLetIn === problem).map(({ alias }) => alias)
    if (aliases.length === 0) return []
    const { says, check } = accessWords[problem]
    return [`Google Play does not let ${allOf(aliases)} in: it says that ${says}. ${check(mode)}`]
  })

/** What the owner should know about testers who count while they stay, although files cannot contain their addresses. */
export const unnamedWords = ({ unnamed, accessMode }: Pick<TesterList, 'unnamed' | 'accessMode'>): string => {
  const { aliases, cost } = unnamed
  const { where, inside } = placeOf(accessMode)
  const who = allOf(aliases)
  const deleted =
    aliases.length === 1
      ? `${who} deleted their account, so their address was erased and is not in any file.`
      : `${who} deleted their accounts, so their addresses were erased and are not in any file.`
  const adding =
    accessMode === 'GOOGLE_GROUP'
      ? 'To add others, add the new addresses to the group, and remove nobody who is missing from the whole list.'
      : `To add others, add the new addresses to that list by hand. An upload replaces it: the whole list would remove ${who}, and the changes alone everyone else.`
  return `${deleted} They count toward the date as long as they stay ${accessMode === 'GOOGLE_GROUP' ? inside : `on ${where}`}, so leave them there until you have applied. ${adding}${cost === null ? '' : ` If you remove ${who} today, ${cost}.`}`
}

/** Names the testers that the file of the whole list does not contain, and the consequence; null if it contains everybody. */
export const missingWords = ({ unnamed, accessMode }: Pick<TesterList, 'unnamed' | 'accessMode'>): string | null => {
  const { aliases, cost } = unnamed
  if (aliases.length === 0) return null
  const costs = cost === null ? '' : `, and ${cost}`
  return `It does not contain ${allOf(aliases)}: ${placeOf(accessMode).missing}${costs}.`
}

/** In the confirmation: what confirming the whole list does to the testers that it does not contain. */
export const leftOutWords = ({ leftOut, accessMode }: Pick<TesterList, 'leftOut' | 'accessMode'>): string | null => {
  const { aliases, cost } = leftOut
  if (aliases.length === 0) return null
  const costs = cost === null ? 'no longer count' : `no longer count, and ${cost}`
  return `That was the whole list, which does not contain ${allOf(aliases)}: they are recorded as removed and ${costs}. If ${placeOf(accessMode).where} still has them, cancel.`
}

const hasChanges = ({ additions, removals }: Pick<TesterList, 'additions' | 'removals'>) =>
  additions.length + removals.length > 0

type Exported = Pick<TesterList, 'exportedAt' | 'confirmedAt' | 'additions' | 'removals' | 'added' | 'removed'>

/** True only for an export that changes something and is not confirmed yet. */
export const mayConfirm = ({ exportedAt, confirmedAt, added, removed }: Exported): boolean =>
  exportedAt !== null && confirmedAt === null && added + removed > 0

/** Judges the export that waits for confirmation, whatever has changed since; without one, what an export would contain. */
const onlyRemoves = (list: Exported): boolean =>
  mayConfirm(list) ? list.added === 0 : list.additions.length === 0 && list.removals.length > 0

/** All of them are on the list according to the owner, but Google Play does not let them in, so adding them does not help. */
const onlyKeptOut = ({ additions }: Pick<TesterList, 'additions'>): boolean =>
  additions.length > 0 && additions.every(({ notLetIn }) => notLetIn !== null)

export const confirmLabelOf = (list: Exported & Pick<TesterList, 'accessMode' | 'leftOut'>): string => {
  if (!onlyRemoves(list) && !onlyKeptOut(list) && list.leftOut.aliases.length === 0) return 'I have added them'
  return list.accessMode === 'GOOGLE_GROUP' ? 'I have updated the group' : 'I have updated the list'
}

export const tellHintOf = (list: Exported & Pick<TesterList, 'accessMode' | 'leftOut' | 'toTell'>): string => {
  if (!mayConfirm(list)) return 'Available once you have exported or copied the list.'
  if (list.leftOut.aliases.length > 0) {
    const otherwise = hasChanges(list) ? 'Otherwise, export the changes and confirm those.' : 'Otherwise, leave it.'
    return `Your last export was the whole list, without ${allOf(list.leftOut.aliases)}. Confirm it only if ${placeOf(list.accessMode).matches}: they then no longer count. ${otherwise}`
  }
  if (list.toTell > 0 && onlyKeptOut(list))
    return 'Once they can get in: we will tell each of them, and what to do next.'
  if (list.toTell > 0) return 'We will tell each new tester that they can get in, and what to do next.'
  return onlyRemoves(list)
    ? 'Then we no longer ask you to remove them.'
    : 'None of the testers you added are waiting to get in, so no one is notified.'
}
