import { describe, expect, test } from 'vitest'
import type { ParticipationStatus } from '../participations/contract.ts'
import { participationStatuses } from '../campaigns/participationStatus.ts'
import {
  assertConfirmable,
  belongs,
  changeList,
  changesOf,
  leftOutOf,
  type ListedCampaign,
  type Member,
  stateOf,
  takenOff,
  waitsToGetIn,
  wholeList,
} from './rules.ts'

const now = '2026-12-20T12:00:00.000Z'
const running: ListedCampaign = {
  accessMode: 'EMAIL_LIST',
  startDate: '2026-12-01T12:00:00.000Z',
  closedAt: null,
  appliedAt: null,
  erasedAt: null,
}
const member = (
  ordinal: number,
  status: ParticipationStatus,
  listed: boolean,
  { erased = false, exported = listed, ndaAwaited = false, optedIn = false } = {},
): Member => ({
  id: `p${ordinal}`,
  ordinal,
  status,
  optedIn,
  open: !['VERIFIED', 'REJECTED', 'DROPPED', 'CANCELLED'].includes(status),
  listed,
  exported,
  ndaAwaited,
  erased,
  notLetIn: null,
})
const none = { additions: [], removals: [], unnamed: [] }
const aliasesOf = (members: readonly Member[]) => members.map(({ ordinal }) => ordinal)
const belonging = (campaign: ListedCampaign, open = false) =>
  participationStatuses.filter(status => belongs({ status, open, erased: false }, campaign, now))

describe('who belongs on the list', () => {
  test('are testers in the test, and verified ones until the owner has applied or until 14 days after the end', () => {
    const inside = ['ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED']
    expect(belonging(running)).toEqual([...inside, 'VERIFIED'])
    expect(belonging({ ...running, appliedAt: now })).toEqual(inside)
    expect(belonging({ ...running, closedAt: '2026-12-06T12:00:00.001Z' })).toEqual([...inside, 'VERIFIED'])
    expect(belonging({ ...running, closedAt: '2026-12-06T12:00:00.000Z' })).toEqual(inside)
  })

  test('are also rejected testers until the rejection is final, because they would lose the run', () => {
    expect(belonging(running, true)).toEqual(expect.arrayContaining(['REJECTED', 'APPEALED']))
    expect(belonging(running, false)).not.toContain('REJECTED')
  })

  test('are no testers whose address is erased', () => {
    expect(belongs({ status: 'VERIFIED', open: false, erased: true }, running, now)).toBe(false)
  })
})

describe('what has changed', () => {
  const members = [
    member(1, 'ACTIVE', true),
    member(2, 'ACTIVE', false),
    member(3, 'DROPPED', true),
    member(4, 'DROPPED', false),
    member(5, 'VERIFIED', true),
    member(6, 'VERIFIED', true, { erased: true }),
  ]

  test('is testers who belong and are not listed, and those who are listed and do not belong', () => {
    const { additions, removals } = changesOf(members, running, now)
    expect([aliasesOf(additions), aliasesOf(removals)]).toEqual([[2], [3, 6]])
  })

  test('leaves out testers who have not accepted the NDA, and removes nobody for that', () => {
    const asked = [
      member(1, 'ACTIVE', false, { ndaAwaited: true }),
      member(2, 'ACTIVE', true, { ndaAwaited: true }),
      member(3, 'ACTIVE', false, { ndaAwaited: true, exported: true }),
    ]
    const { additions, removals } = changesOf(asked, running, now)
    expect([aliasesOf(additions), aliasesOf(removals)]).toEqual([[3], []])
    const addresses = new Map(asked.map(({ id }) => [id, `${id}@gmail.com`]))
    expect(wholeList(asked, running, addresses, now)).toBe('p2@gmail.com\np3@gmail.com')
  })

  test('includes testers who were exported and have left, even if the owner never confirmed it', () => {
    const unsure = [member(1, 'DROPPED', false, { exported: true }), member(2, 'ACTIVE', false, { exported: true })]
    const { additions, removals } = changesOf(unsure, running, now)
    expect([aliasesOf(additions), aliasesOf(removals)]).toEqual([[2], [1]])
  })

  test('is nothing once the addresses of the campaign are erased', () => {
    expect(changesOf(members, { ...running, erasedAt: now }, now)).toEqual(none)
  })

  test('leaves out testers who deleted the account but count while they stay: they are neither added nor removed', () => {
    const erased = [
      member(1, 'VERIFIED', true, { erased: true, optedIn: true }),
      // An opt-in counts even if nobody confirmed the list.
      member(2, 'VERIFIED', false, { erased: true, optedIn: true }),
      member(3, 'VERIFIED', true, { erased: true }),
      member(4, 'VERIFIED', true, { optedIn: true }),
    ]
    const of = (campaign: ListedCampaign) => {
      const { additions, removals, unnamed } = changesOf(erased, campaign, now)
      return [additions, removals, unnamed].map(aliasesOf)
    }
    expect(of(running)).toEqual([[], [3], [1, 2]])
    expect(of({ ...running, closedAt: '2026-12-06T12:00:00.001Z' })).toEqual([[], [3], [1, 2]])
    expect(of({ ...running, closedAt: '2026-12-06T12:00:00.000Z' })).toEqual([[], [1, 3, 4], []])
    expect(of({ ...running, appliedAt: now })).toEqual([[], [1, 3, 4], []])
    const changes = changesOf(erased, running, now)
    expect(aliasesOf(takenOff(changes, 'changes'))).toEqual([3])
    expect(aliasesOf(takenOff(changes, 'play'))).toEqual([3, 1, 2])
  })

  test('leaves nothing to confirm if it would only leave out testers who should stay', () => {
    const [stays, joins] = [member(1, 'VERIFIED', true, { erased: true, optedIn: true }), member(2, 'ACTIVE', false)]
    const upToDate = changesOf([stays], running, now)
    const changed = changesOf([stays, joins], running, now)
    const whole = { confirmedAt: null, added: [], removed: ['p1'] }
    expect(stateOf(upToDate, whole)).toBe('NOTHING_TO_DO')
    expect(stateOf(changed, whole)).toBe('TO_EXPORT')
    expect(stateOf(changed, { ...whole, added: ['p2'] })).toBe('EXPORTED')
    expect(stateOf(changed, { ...whole, added: ['p2'], removed: [] })).toBe('EXPORTED')
    expect(stateOf(upToDate, { ...whole, added: ['p2'] })).toBe('CHANGED')
    expect(aliasesOf(leftOutOf(upToDate, whole))).toEqual([1])
    expect(leftOutOf(upToDate, { ...whole, removed: [] })).toEqual([])
    expect(leftOutOf(upToDate, { ...whole, confirmedAt: now })).toEqual([])
  })

  test('determines the state of the list, together with the last export', () => {
    const changes = changesOf(members, running, now)
    const exported = { confirmedAt: null, added: ['p2'], removed: ['p3', 'p6'] }
    expect(stateOf(changes, null)).toBe('TO_EXPORT')
    expect(stateOf(changes, exported)).toBe('EXPORTED')
    expect(stateOf(changes, { ...exported, added: [] })).toBe('CHANGED')
    expect(stateOf(changes, { ...exported, removed: ['p3', 'p5'] })).toBe('CHANGED')
    expect(stateOf(changes, { ...exported, confirmedAt: now })).toBe('TO_EXPORT')
    expect(stateOf(none, { ...exported, confirmedAt: now })).toBe('NOTHING_TO_DO')
    expect(stateOf(none, exported)).toBe('CHANGED')
    expect(stateOf(none, { confirmedAt: null, added: [], removed: [] })).toBe('NOTHING_TO_DO')
    expect(stateOf(none, null)).toBe('NOTHING_TO_DO')
    // A tester who came after an empty export is not in any export that could be confirmed.
    expect(stateOf(changes, { confirmedAt: null, added: [], removed: [] })).toBe('TO_EXPORT')
  })
})

describe('the exports', () => {
  const exported = (members: Member[], addresses: Record<string, string>) => {
    const known = new Map(Object.entries(addresses))
    const changes = changesOf(members, running, now)
    return [changeList(changes, members, running, known, now), wholeList(members, running, known, now)]
  }

  test('are the changes with a header, and the whole list without a header, commas and a byte order mark', () => {
    const members = [member(1, 'ACTIVE', true), member(2, 'ACTIVE', false), member(3, 'DROPPED', true)]
    expect(exported(members, { p1: 'a@gmail.com', p2: 'b@gmail.com', p3: 'c@gmail.com' })).toEqual([
      'email,change\r\nb@gmail.com,ADD\r\nc@gmail.com,REMOVE\r\n',
      'a@gmail.com\nb@gmail.com',
    ])
    expect(exported([], {})).toEqual(['email,change\r\n', ''])
  })

  test('name an address that two testers gave once, and do not remove it while one of them stays', () => {
    const shared = { p1: 'a@gmail.com', p2: 'a@gmail.com' }
    const [leaves] = exported([member(1, 'ACTIVE', true), member(2, 'DROPPED', true)], shared)
    expect(leaves).toBe('email,change\r\n')
    const [joins] = exported([member(1, 'ACTIVE', true), member(2, 'ACTIVE', false)], shared)
    expect(joins).toBe('email,change\r\n')
    const [both, whole] = exported([member(1, 'ACTIVE', false), member(2, 'ACTIVE', false)], shared)
    expect([both, whole]).toEqual(['email,change\r\na@gmail.com,ADD\r\n', 'a@gmail.com'])
    // One tester leaves and another comes with the same address, so it stays where it is.
    const [swapped] = exported([member(1, 'DROPPED', true), member(2, 'ACTIVE', false)], shared)
    expect(swapped).toBe('email,change\r\n')
  })

  test('do not let an address become a formula in a spreadsheet', () => {
    const [changes] = exported([member(1, 'ACTIVE', false)], { p1: '-cmd@example.com' })
    expect(changes).toBe("email,change\r\n'-cmd@example.com,ADD\r\n")
  })
})

test('testers who are in the test and not opted in are told that they can get in', () => {
  const told = participationStatuses.filter(status => waitsToGetIn(member(1, status, false)))
  expect(told).toEqual(['ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED'])
  expect(waitsToGetIn(member(1, 'ACTIVE', false, { optedIn: true }))).toBe(false)
})

test('only an export that waits can be confirmed', () => {
  expect(() => assertConfirmable({ exportedAt: now, confirmedAt: null }, running)).not.toThrow()
  expect(() => assertConfirmable(null, running)).toThrow(/no export.* bring the list in Play Console up to date/)
  expect(() => assertConfirmable(null, { accessMode: 'GOOGLE_GROUP' })).toThrow('bring your Google Group up to date')
  expect(() => assertConfirmable({ exportedAt: now, confirmedAt: now }, running)).toThrow('already')
})
