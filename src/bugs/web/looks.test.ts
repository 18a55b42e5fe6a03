import { expect, test } from 'vitest'
import type { KnownBug } from '../contract.ts'
import { bugStatuses } from '../terms.ts'
import { stateOf } from './looks.ts'

const original: KnownBug = {
  id: '01900000-0000-7000-8000-000000000000',
  number: 3,
  title: 'It stops',
  status: 'CONFIRMED',
  fixedIn: null,
  own: false,
  mayOpen: true,
}

test('a fixed bug names the version, and a duplicate names its original', () => {
  expect(bugStatuses.map(status => stateOf({ status, fixedIn: '1.2', duplicateOf: original }))).toEqual([
    'Open',
    'Confirmed',
    'Duplicate of #3',
    'Fixed in 1.2',
    'Won’t fix',
  ])
})

test('a duplicate whose original is not given is just a duplicate', () => {
  expect(stateOf({ status: 'DUPLICATE', fixedIn: null, duplicateOf: null })).toBe('Duplicate')
  expect(stateOf({ status: 'DUPLICATE', fixedIn: null })).toBe('Duplicate')
})
