/** Words for what lets testers into a closed test: a list in Play Console, or a Google Group. */
import type { AccessMode } from './terms.ts'

export type ListPlace = {
  /** To the developer: "is on …", "add them to …". */
  where: string
  /** To the developer, of testers: "stay …", "no longer belong …". */
  inside: string
  /** To a tester: "adds your Google account to …". */
  toTester: string
  /** To a tester who waits: "has not added you to …". */
  named: string
  /** To developer and admins, as an event. */
  updated: string
}

const emailList: ListPlace = {
  where: 'the list in Play Console',
  inside: 'on your list',
  toTester: 'the test in Play Console',
  named: 'the tester list',
  updated: 'Tester list updated in Play Console',
}

const group: ListPlace = {
  where: 'your Google Group',
  inside: 'in your Google Group',
  toTester: 'the Google Group of the test',
  named: 'the Google Group of the test',
  updated: 'Members of the Google Group updated',
}

export const listPlaceOf = (mode: AccessMode): ListPlace => (mode === 'GOOGLE_GROUP' ? group : emailList)
