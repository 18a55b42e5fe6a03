import { expect, test, vi } from 'vitest'
import { roles } from '../../roles.ts'
import { commandsOf, fitting } from './commands.ts'
import { destinations } from './shortcuts.ts'

const deeds = { go: vi.fn<(to: string) => void>(), setTheme: () => {}, showKeys: () => {}, logout: () => {} }

test.each(roles)('%s: no two shortcuts share a letter, and none is the one that begins them', role => {
  const keys = destinations(role).flatMap(({ goKey }) => goKey ?? [])
  expect(keys).toHaveLength(new Set(keys).size)
  expect(keys).not.toContain('g')
})

test('only a developer can create a campaign from the palette', () => {
  const creators = roles.filter(role => commandsOf(role, deeds).some(({ id }) => id === 'create'))
  expect(creators).toEqual(['DEVELOPER'])
})

const labels = (typed: string) => fitting(commandsOf('DEVELOPER', deeds), typed).map(({ label }) => label)

test('beginnings of words find a command, in any order, and by its other names', () => {
  expect(labels('camp my')).toEqual(['My Campaigns'])
  expect(labels('sign o')).toEqual(['Log out'])
  expect(labels('xyz')).toEqual([])
  expect(labels('  ').length).toBeGreaterThan(5)
})
