import { expect, test, vi } from 'vitest'
import { roles } from '../../../kit/roles.ts'
import { commandsOf, fitting, foundOf } from './commands.ts'
import { paths } from '../../../kit/paths.ts'
import { destinations } from './shortcuts.ts'

const actions = { go: vi.fn<(to: string) => void>(), setTheme: () => {}, showKeys: () => {}, logout: () => {} }

test.each(roles)('%s: shortcut letters are unique, and none is the leading letter', role => {
  const keys = destinations(role).flatMap(({ goKey }) => goKey ?? [])
  expect(keys).toHaveLength(new Set(keys).size)
  expect(keys).not.toContain('g')
})

test('only a developer can create a campaign from the palette', () => {
  const creators = roles.filter(role => commandsOf(role, actions).some(({ id }) => id === 'create'))
  expect(creators).toEqual(['DEVELOPER'])
})

const labels = (typed: string) => fitting(commandsOf('DEVELOPER', actions), typed).map(({ label }) => label)

test('word prefixes find a command, in any order, and by its synonyms', () => {
  expect(labels('camp my')).toEqual(['My Campaigns'])
  expect(labels('sign o')).toEqual(['Log out'])
  expect(labels('xyz')).toEqual([])
  expect(labels('  ').length).toBeGreaterThan(5)
})

test('results lead testers to their own test, everybody else to the campaign, and admins to users', () => {
  const found = {
    campaigns: [
      { id: 'c1', title: 'Open', participation: null },
      { id: 'c2', title: 'Mine', participation: { id: 't2' } },
    ],
    users: [{ id: 'u1', name: 'Uma', email: 'uma@example.com' }],
  }
  const led = (role: 'TESTER' | 'ADMIN') => {
    actions.go.mockClear()
    return foundOf(role, found, actions.go).map(({ group, run }) => {
      run()
      return [group, actions.go.mock.lastCall?.[0]]
    })
  }
  expect(led('TESTER').slice(0, 2)).toEqual([
    ['My Tests', paths.myTest('t2')],
    ['Campaigns', paths.campaign('c1')],
  ])
  expect(led('ADMIN')).toEqual([
    ['Campaigns', paths.campaign('c1')],
    ['Campaigns', paths.campaign('c2')],
    ['Users', paths.user('u1')],
  ])
})

test('each command does what it says', () => {
  const done: unknown[][] = []
  const commands = commandsOf('DEVELOPER', {
    go: to => done.push(['go', to]),
    setTheme: theme => done.push(['theme', theme]),
    showKeys: () => done.push(['keys']),
    logout: () => done.push(['logout']),
  })
  const run = (label: string) => {
    commands.find(command => command.label === label)!.run()
    return done.at(-1)
  }
  for (const { label, to } of destinations('DEVELOPER')) expect(run(label)).toEqual(['go', to])
  expect(run('Create Campaign')).toEqual(['go', paths.campaignCreate])
  expect(['Light theme', 'Dark theme', 'System theme'].map(run)).toEqual([
    ['theme', 'light'],
    ['theme', 'dark'],
    ['theme', 'system'],
  ])
  expect(['Keyboard shortcuts', 'Log out'].map(run)).toEqual([['keys'], ['logout']])
})

test('a command names its shortcut if it has one', () => {
  const asides = commandsOf('DEVELOPER', actions).map(({ id, aside }) => [id, aside])
  expect(asides).toContainEqual([paths.campaigns, 'G C'])
  expect(asides).toContainEqual(['create', 'N'])
  expect(asides).toContainEqual(['theme-dark', undefined])
})

test('the search ignores case', () => {
  expect([labels('LOG'), labels('log')]).toEqual([['Log out'], ['Log out']])
})
