/** What a notification is about, and the screen that shows it. The page and the email link there. */
import { paths } from '../kit/paths.ts'

export const aboutKinds = ['CAMPAIGN', 'TESTERS', 'TEST', 'WITHDRAWAL', 'ACCOUNT'] as const

export type About = { kind: (typeof aboutKinds)[number]; id: string }

const screens: Record<About['kind'], (id: string) => string> = {
  CAMPAIGN: paths.campaign,
  // The id is the campaign's: a developer sees a tester in the campaign's list of testers.
  TESTERS: id => paths.campaignTab(id, 'testers'),
  // The id is the participation's.
  TEST: paths.myTest,
  WITHDRAWAL: () => paths.balance,
  // The id is the user's own.
  ACCOUNT: () => paths.settings,
}

export const screenOf = ({ kind, id }: About): string => screens[kind](id)
