import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { refuseLocalStorage, stubLocalStorage } from '../../testing/localStorage.ts'
import { figuresKey } from '../chosenFigures.ts'

// The form's buttons listen on the window.
vi.stubGlobal('addEventListener', () => undefined)
let storage = stubLocalStorage()
const { forgetDraft, keepDraft, readDraft, startValues } = await import('./campaignDraft.ts')
const { blankValues } = await import('./campaignValues.ts')

beforeEach(() => {
  storage = stubLocalStorage()
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const draft = {
  ...blankValues,
  title: 'Notes',
  platform: 'ios' as const,
  testersRequired: 3,
  filters: { countries: ['DE'], minAndroidVersion: '', minIOSVersion: '17' },
  dailyCheckIn: false,
  accessMode: 'GOOGLE_GROUP' as const,
  groupLink: 'https://groups.google.com/g/notes',
  features: ['Search'],
}

test('an unfinished campaign is found again by who wrote it, and by nobody else', () => {
  keepDraft('ann', draft)
  expect(readDraft('ann')).toEqual(draft)
  expect(readDraft('bob')).toBeNull()
})

test('once it is created it is gone, and that of another user of the browser is not', () => {
  keepDraft('ann', draft)
  keepDraft('bob', draft)
  forgetDraft('ann')
  expect(readDraft('ann')).toBeNull()
  expect(readDraft('bob')).toEqual(draft)
})

test('a form that was emptied again leaves nothing behind', () => {
  keepDraft('ann', draft)
  keepDraft('ann', { ...blankValues })
  expect(Object.keys(storage)).toEqual([])
})

test.each([
  ['an unknown platform', { platform: 'symbian' }, { platform: 'android' }],
  ['an unknown way in', { accessMode: 'BY_POST' }, { accessMode: 'OPEN_LINK' }],
  ['an empty group link', { groupLink: '' }, { groupLink: null }],
  ['a group link that is no text', { groupLink: 7 }, { groupLink: null }],
  ['no group link', { groupLink: null }, { groupLink: null }],
])('%s in it costs nothing else', (_, stored, read) => {
  keepDraft('ann', { ...draft, ...stored })
  expect(readDraft('ann')).toEqual({ ...draft, ...read })
})

test('where nothing can be stored the form works without it', () => {
  refuseLocalStorage()
  keepDraft('ann', draft)
  forgetDraft('ann')
  expect(readDraft('ann')).toBeNull()
})

describe('figures that were chosen on the front page', () => {
  const chosen = { testersRequired: 25, payPerTesterCents: 344 }
  const choose = (figures: object) => localStorage.setItem(figuresKey, JSON.stringify(figures))

  test('are what a new campaign starts with, until one is created', () => {
    choose(chosen)
    expect(startValues()).toEqual({ ...blankValues, ...chosen })
    forgetDraft('ann')
    expect(startValues()).toEqual(blankValues)
  })

  test('are no draft by themselves', () => {
    choose(chosen)
    keepDraft('ann', { ...blankValues, ...chosen })
    expect(readDraft('ann')).toBeNull()
  })

  test('do not come back once the developer has changed them, even to what a blank form has', () => {
    choose(chosen)
    keepDraft('ann', blankValues)
    expect(readDraft('ann')).toEqual(blankValues)
  })

  test.each([
    ['more testers than a campaign may have', { ...chosen, testersRequired: 101 }],
    ['half a tester', { ...chosen, testersRequired: 1.5 }],
    ['less pay than a tester may get', { ...chosen, payPerTesterCents: 99 }],
    ['no pay', { testersRequired: 25 }],
  ])('%s: the form starts blank', (_, stored) => {
    choose(stored)
    expect(startValues()).toEqual(blankValues)
  })
})
