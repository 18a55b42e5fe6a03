/** What lets testers into a closed test, in words: a list in Play Console, or a Google Group. */
import type { AccessMode } from './terms.ts'

export type ListPlace = {
  /** To the developer: "is on …", "add them to …". */
  where: string
  /** To a tester: "adds your Google account to …". */
  toTester: string
  /** To developer and admins, as an event. */
  updated: string
}

const emailList: ListPlace = {
  where: 'the list in Play Console',
  toTester: 'the test in Play Console',
  updated: 'Tester list updated in Play Console',
}

const group: ListPlace = {
  where: 'your Google Group',
  toTester: 'the Google Group of the test',
  updated: 'Members of the Google Group updated',
}

export const listPlaceOf = (mode: AccessMode): ListPlace => (mode === 'GOOGLE_GROUP' ? group : emailList)
