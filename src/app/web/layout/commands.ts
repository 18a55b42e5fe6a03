/** The palette's commands for a role, and which of them match the input. */
import type { Role } from '../../../kit/roles.ts'
import { paths } from '../../../kit/paths.ts'
import type { Theme } from '../../../kit/web/theme.ts'
import { destinations } from './shortcuts.ts'

export type Command = {
  id: string
  group: string
  label: string
  /** Synonyms. */
  also?: string
  /** Shown beside the label: its shortcut, or a state. */
  aside?: string
  run: () => void
}

export type CommandActions = {
  go: (to: string) => void
  setTheme: (theme: Theme) => void
  showKeys: () => void
  logout: () => void
}

const themeWords: Record<Theme, string> = { light: 'Light theme', dark: 'Dark theme', system: 'System theme' }

export const commandsOf = (role: Role, { go, setTheme, showKeys, logout }: CommandActions): Command[] => [
  ...destinations(role).map(({ label, to, goKey }) => ({
    id: to,
    group: 'Go to',
    label,
    ...(goKey !== null && { aside: `G ${goKey.toUpperCase()}` }),
    run: () => go(to),
  })),
  ...(role === 'DEVELOPER'
    ? [
        {
          id: 'create',
          group: 'Actions',
          label: 'Create Campaign',
          also: 'new',
          aside: 'N',
          run: () => go(paths.campaignCreate),
        },
      ]
    : []),
  ...(Object.keys(themeWords) as Theme[]).map(theme => ({
    id: `theme-${theme}`,
    group: 'Actions',
    label: themeWords[theme],
    also: 'appearance mode color',
    run: () => setTheme(theme),
  })),
  { id: 'keys', group: 'Actions', label: 'Keyboard shortcuts', also: 'help keys', aside: '?', run: showKeys },
  { id: 'logout', group: 'Actions', label: 'Log out', also: 'sign out leave', run: logout },
]

/** Every word of the input must be a prefix of a word of the command. */
export const fitting = (commands: readonly Command[], typed: string): Command[] => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ label, also = '' }) => {
    const own = `${label} ${also}`.toLowerCase().split(/\s+/)
    return words.every(word => own.some(each => each.startsWith(word)))
  })
}

type Found = {
  campaigns: readonly { id: string; title: string; participation: { id: string } | null }[]
  users: readonly { id: string; name: string; email: string }[]
}

/** The server's matches: campaigns, a tester's own tests, and users for admins. */
export const foundOf = (role: Role, { campaigns, users }: Found, go: CommandActions['go']): Command[] => {
  const commandOf = (group: string, id: string, label: string, to: string) => ({ id, group, label, run: () => go(to) })
  // A campaign that the tester has joined leads to the test.
  const testOf = (campaign: Found['campaigns'][number]) => (role === 'TESTER' ? campaign.participation : null)
  return [
    ...campaigns.flatMap(campaign => {
      const test = testOf(campaign)
      return test ? [commandOf('My Tests', test.id, campaign.title, paths.myTest(test.id))] : []
    }),
    ...campaigns
      .filter(campaign => !testOf(campaign))
      .map(({ id, title }) => commandOf('Campaigns', id, title, paths.campaign(id))),
    ...users.map(({ id, name, email }) => ({ ...commandOf('Users', id, name, paths.user(id)), aside: email })),
  ]
}
