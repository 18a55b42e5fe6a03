/** The page finds loaded data by its key, and makes it stale by a prefix of the key. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { hashKey, partialMatchKey, type QueryKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { follows } from './follows.ts'
import { liveKeys } from './liveKeys.ts'

type Keys = { all: QueryKey } & Record<string, QueryKey | ((...given: unknown[]) => QueryKey)>

const src = join(import.meta.dirname, '../..')
const files = globSync('*/web/keys.ts', { cwd: src }).toSorted()
const slices = await Promise.all(
  files.map(async file => {
    const exported = Object.values((await import(join(src, file))) as Record<string, Keys>)
    return { file, keys: exported[0]!, exported: exported.length }
  }),
)

const campaign = (id: string, countries: string[] = []) => ({ id, filters: { countries } })

/** Values for parameters that are destructured or that `length` does not count. */
const taken: Record<string, unknown[][]> = {
  'notifications.groupsOf': [
    ['unread', null],
    ['PROOFS', null],
    ['c1', 'c2'],
  ],
  'participations.obstacle': [
    [campaign('c1'), campaign('c2'), campaign('c1', ['DE'])],
    ['DE', null],
  ],
  'reputation.developers': [[['d1', 'd2'], ['d1'], ['d1', 'd3']]],
}

const asked = slices.flatMap(({ keys }) =>
  Object.entries(keys).map(([key, made]) => {
    const name = `${String(keys.all[0])}.${key}`
    if (typeof made !== 'function') return { name, key: made, others: [] }
    const values =
      taken[name] ?? Array.from(made as { length: number }, (_, place) => [`this ${place}`, `that ${place}`])
    const first = values.map(([value]) => value)
    const others = values.flatMap(([, ...more], place) => more.map(value => made(...first.with(place, value))))
    return { name, key: made(...first), others }
  }),
)

const repeated = (keys: readonly QueryKey[]) => {
  const hashes = keys.map(key => hashKey(key))
  return hashes.filter((hash, place) => hashes.indexOf(hash) !== place)
}

test('the keys of every slice were found', () => {
  expect(files.length).toBeGreaterThan(20)
  expect(slices.filter(({ exported }) => exported !== 1)).toEqual([])
  expect(asked.filter(({ others }) => others.length > 0).length).toBeGreaterThan(30)
})

test('each slice has a unique name, under which all its data becomes stale', () => {
  expect(repeated(slices.map(({ keys }) => keys.all))).toEqual([])
  expect(slices.filter(({ keys }) => keys.all.length !== 1 || !keys.all[0])).toEqual([])
})

test.each(slices)('every key of $file begins with the name of its slice', ({ keys: { all } }) => {
  const own = asked.filter(({ name }) => name.startsWith(`${String(all[0])}.`))
  for (const { key, others } of own) for (const each of [key, ...others]) expect(each.slice(0, 1)).toEqual(all)
})

test('no two queries of the page share a key', () => {
  expect(repeated(asked.map(({ key }) => key))).toEqual([])
})

test.each(asked.filter(({ others }) => others.length > 0))(
  '$name has a different key for each argument',
  ({ key, others }) => {
    expect(repeated([key, ...others])).toEqual([])
  },
)

test('invalidating a key affects its own query only, except for keys that are meant to reach more', () => {
  const narrow = asked.filter(({ name }) => !name.endsWith('.all'))
  const reached = narrow.flatMap(above =>
    narrow
      .filter(({ name, key }) => name !== above.name && partialMatchKey(key, above.key))
      .map(({ name }) => `${above.name} reaches ${name}`),
  )
  expect(reached).toEqual([
    'fraud.lists reaches fraud.list',
    'ledger.statement reaches ledger.statementLines',
    'notifications.groups reaches notifications.groupsOf',
  ])
})

test('follows and liveKeys name only existing slices', () => {
  const names = new Set(slices.map(({ keys }) => keys.all[0]))
  const named = [...Object.entries(follows).flat(2), ...Object.values(liveKeys).flat(2)]
  expect(named.filter(name => !names.has(name))).toEqual([])
  expect(
    Object.values(liveKeys)
      .flat()
      .filter(key => key.length !== 1),
  ).toEqual([])
})
