/** What a notification is about, and where its receiver finds that: the page links there, and so does the email. */
import { paths } from '../kit/paths.ts'

export const aboutKinds = ['CAMPAIGN', 'TESTERS', 'TEST', 'WITHDRAWAL'] as const

export type About = { kind: (typeof aboutKinds)[number]; id: string }

const screens: Record<About['kind'], (id: string) => string> = {
  CAMPAIGN: paths.campaign,
  // The id is the campaign's: its developer meets a tester in the list of all of them.
  TESTERS: id => paths.campaignTab(id, 'testers'),
  // The id is the participation's.
  TEST: paths.myTest,
  WITHDRAWAL: () => paths.balance,
}

export const screenOf = ({ kind, id }: About): string => screens[kind](id)
