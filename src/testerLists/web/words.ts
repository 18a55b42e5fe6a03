/** What the same steps are called with a list in Play Console and with a Google Group. */
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
}

const emailList: Steps = {
  intro: 'Testers can open your closed test once their Google account is on its email list in Play Console.',
  whole:
    'Every address that belongs on the list, one per line. In Play Console open your closed test, then Testers and your email list, and upload this file.',
  changes: 'For reading and copying: add the new addresses to the email list, and delete the removed ones.',
  warning:
    'Play Console replaces its list with the file that you upload. A file of the changes alone would remove everyone else from your test.',
}

const group: Steps = {
  intro: 'Testers can open your closed test once their Google account is a member of your Google Group.',
  whole: 'Every address that belongs in the group, one per line: for checking the group’s members against it.',
  changes:
    'Paste the new addresses into “Add members” of your group, and remove the members listed for removal. Choose direct adding, so that nobody has to accept an invitation.',
  warning: null,
}

export const placeOf = (mode: AccessMode): Steps & ListPlace => ({
  ...listPlaceOf(mode),
  ...(mode === 'GOOGLE_GROUP' ? group : emailList),
})

/** Of those who reported that Google Play does not let them in, a paragraph for each problem, with what to look at. */
export const keptOutWords = (entries: readonly ListEntry[], mode: AccessMode): string[] =>
  accessProblems.flatMap(problem => {
    const aliases = entries.filter(({ notLetIn }) => notLetIn === problem).map(({ alias }) => alias)
    if (aliases.length === 0) return []
    const { says, check } = accessWords[problem]
    return [`Google Play does not let ${allOf(aliases)} in: it says that ${says}. ${check(mode)}`]
  })

type Exported = Pick<TesterList, 'exportedAt' | 'confirmedAt' | 'additions' | 'removals' | 'added' | 'removed'>

/** Only an export that changes something, and is not confirmed yet. */
export const mayConfirm = ({ exportedAt, confirmedAt, added, removed }: Exported): boolean =>
  exportedAt !== null && confirmedAt === null && added + removed > 0

/** Of the export that waits, whatever has changed since; before one, of what it would say. */
const onlyRemoves = (list: Exported): boolean =>
  mayConfirm(list) ? list.added === 0 : list.additions.length === 0 && list.removals.length > 0

export const confirmLabelOf = (list: Exported & Pick<TesterList, 'accessMode'>): string => {
  if (!onlyRemoves(list)) return 'I have added them'
  return list.accessMode === 'GOOGLE_GROUP' ? 'I have updated the group' : 'I have updated the list'
}

export const tellHintOf = (list: Exported & Pick<TesterList, 'toTell'>): string => {
  if (!mayConfirm(list)) return 'Available once you have exported or copied the list.'
  if (list.toTell > 0) return 'We will tell each new tester that they can get in, and what to do next.'
  return onlyRemoves(list)
    ? 'Then we no longer ask you to remove them.'
    : 'None of those you added is waiting to get in, so no tester is notified.'
}
