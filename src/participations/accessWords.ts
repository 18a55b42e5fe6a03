/** Words for what keeps a tester out on Google Play. Pure; shared by emails and screens. */
import type { AccessMode } from '../campaigns/terms.ts'
import type { AccessProblem } from './terms.ts'

type Words = {
  /** To the tester, who chooses one. */
  choice: string
  /** To the developer: "Google Play says that …". */
  says: string
  /** To the developer: what to check. */
  check: (mode: AccessMode) => string
}

export const accessWords: Record<AccessProblem, Words> = {
  NOT_A_TESTER: {
    choice: 'The app is not available for my account',
    says: 'the app is not available for their account',
    check: mode =>
      mode === 'GOOGLE_GROUP'
        ? 'Check that their account is a member of your Google Group, and that your closed test in Play Console lets the group in.'
        : 'Check in Play Console that their address is on the list, that the list is selected for your closed test, and that the changes are saved.',
  },
  NOT_IN_COUNTRY: {
    choice: 'The app is not available in my country',
    says: 'the app is not available in their country',
    check: () => 'Check the countries of your closed test in Play Console.',
  },
  NOT_FOUND: {
    choice: 'The page or the app cannot be found',
    says: 'the app cannot be found',
    check: () => 'Check that a release of your closed test is published, and that your campaign’s app link is correct.',
  },
}
