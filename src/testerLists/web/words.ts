/** What the same steps are called with a list in Play Console and with a Google Group. */
import type { AccessMode } from '../../campaigns/terms.ts'
import type { TesterList } from '../contract.ts'

type Place = {
  /** "is on …" */
  where: string
  intro: string
  whole: string
  changes: string
  warning: string | null
}

const emailList: Place = {
  where: 'the list in Play Console',
  intro: 'Testers can open your closed test once their Google account is on its email list in Play Console.',
  whole:
    'Every address that belongs on the list, one per line. In Play Console open your closed test, then Testers and your email list, and upload this file.',
  changes: 'For reading and copying: add the new addresses to the email list, and delete the removed ones.',
  warning:
    'Play Console replaces its list with the file that you upload. Never upload the changes: everyone else would be removed from your test.',
}

const group: Place = {
  where: 'your Google Group',
  intro: 'Testers can open your closed test once their Google account is a member of your Google Group.',
  whole: 'Every address that belongs in the group, one per line: for checking the group’s members against it.',
  changes:
    'Paste the new addresses into “Add members” of your group, and remove the members listed for removal. Choose direct adding, so that nobody has to accept an invitation.',
  warning: null,
}

export const placeOf = (mode: AccessMode): Place => (mode === 'GOOGLE_GROUP' ? group : emailList)

/** Whether nobody new is told anything when the list is confirmed. */
export const onlyRemoves = ({ additions, removals }: Pick<TesterList, 'additions' | 'removals'>): boolean =>
  additions.length === 0 && removals.length > 0

export const confirmLabelOf = (list: Pick<TesterList, 'additions' | 'removals'>): string =>
  onlyRemoves(list) ? 'I have updated the list' : 'I have added them'
