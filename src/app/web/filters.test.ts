/** What a list's address says about its filters, for the screen and for preloading. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import * as audit from '../../audit/web/auditFilters.ts'
import { booksFiltersIn } from '../../books/web/booksFilters.ts'
import * as campaigns from '../../campaigns/web/campaignFilters.ts'
import * as fraud from '../../fraud/web/fraudFilters.ts'
import type { Role } from '../../kit/roles.ts'
import * as waitlist from '../../landing/web/waitlistFilters.ts'
import { statementFilterIn, useStatementFilter } from '../../ledger/web/statementFilter.ts'
import * as center from '../../notifications/web/centerFilters.ts'
import * as users from '../../people/web/usersFilters.ts'

/** What a hook returns on the screen at this address. */
const onScreen = <T>(useIt: () => T, address: string): T => {
  const shown: T[] = []
  const Screen = () => {
    shown.push(useIt())
    return null
  }
  renderToStaticMarkup(createElement(MemoryRouter, { initialEntries: [`/${address}`] }, createElement(Screen)))
  return shown[0]!
}

type List = {
  read: (params: URLSearchParams) => object
  useIt: () => { filters: object; filtered: boolean }
  /** Filters that narrow nothing. */
  none: object
}

const campaignsOf = (role: Role): List => ({
  read: (params: URLSearchParams) => campaigns.campaignFiltersIn(role, params),
  useIt: () => campaigns.useCampaignFilters(role),
  none: { ...campaigns.noFilters, sort: 'newest' },
})

const lists: Record<string, List> = {
  audit: { read: audit.auditFiltersIn, useIt: audit.useAuditFilters, none: audit.noFilters },
  fraud: { read: fraud.fraudFiltersIn, useIt: fraud.useFraudFilters, none: fraud.noFilters },
  waitlist: { read: waitlist.waitlistFiltersIn, useIt: waitlist.useWaitlistFilters, none: waitlist.noFilters },
  notifications: { read: center.centerFiltersIn, useIt: center.useCenterFilters, none: center.noFilters },
  users: { read: users.usersFiltersIn, useIt: users.useUsersFilters, none: users.noFilters },
  'a developer’s campaigns': campaignsOf('DEVELOPER'),
  'a tester’s campaigns': campaignsOf('TESTER'),
  'an admin’s campaigns': campaignsOf('ADMIN'),
}
test.each(Object.entries(lists))('an address without parameters narrows nothing: %s', (_, { read, useIt, none }) => {
  expect(read(new URLSearchParams())).toEqual(none)
  expect(onScreen(useIt, '')).toMatchObject({ filters: none, filtered: false })
})

test.each<[string, string, object]>([
  ['audit', '?action=user.ban&admin=+Ann+', { action: 'user.ban', admin: 'Ann' }],
  ['audit', '?action=user.praise&search=Ann', { action: null, admin: '' }],
  [
    'fraud',
    '?search=+ann&severity=HIGH&status=OPEN',
    { search: 'ann', severity: 'HIGH', status: 'OPEN', sample: null },
  ],
  ['fraud', '?severity=OPEN&status=HIGH', { search: '', severity: null, status: null, sample: null }],
  ['waitlist', '?search=ann&role=tester', { search: 'ann', role: 'tester' }],
  ['waitlist', '?role=TESTER', { search: '', role: null }],
  ['notifications', '?show=unread&kind=PROOFS&campaign=+a+', { show: 'unread', kind: 'PROOFS', campaign: 'a' }],
  ['notifications', '?show=read&kind=PRAISE', { show: null, kind: null, campaign: '' }],
  ['users', '?search=ann&role=ADMIN', { search: 'ann', role: 'ADMIN' }],
  ['users', '?role=admin', { search: '', role: null }],
  [
    'a developer’s campaigns',
    '?search=a&platform=ios&status=LIVE&sort=oldest',
    { search: 'a', platform: 'ios', status: 'LIVE', sort: 'newest' },
  ],
  [
    'a tester’s campaigns',
    '?search=a&platform=ios&status=LIVE&sort=shortest',
    { search: 'a', platform: 'ios', status: null, sort: 'shortest' },
  ],
  [
    'an admin’s campaigns',
    '?platform=symbian&status=LIVE&sort=mostPaid',
    { search: '', platform: null, status: 'LIVE', sort: 'mostPaid' },
  ],
  ['a tester’s campaigns', '?sort=mostPaid', { search: '', platform: null, status: null, sort: 'newest' }],
  ['an admin’s campaigns', '?sort=shortest', { search: '', platform: null, status: null, sort: 'newest' }],
])('%s: of %s, the list reads what it knows', (list, address, expected) => {
  const { read, useIt } = lists[list]!
  expect(read(new URLSearchParams(address))).toEqual(expected)
  expect(onScreen(useIt, address).filters).toEqual(expected)
})

test.each([
  ['?report=019e8a00', '019e8a00'],
  ['?report=', null],
  ['', null],
])('the address contains the report under investigation: %s', (address, report) => {
  expect(onScreen(fraud.useFraudFilters, address).report).toBe(report)
})

const owner = '019e8a00-0000-7000-8000-00000000000A'
test.each([
  ['', { owner: '', account: null, upTo: null }],
  [`?owner=${owner}&account=7&upTo=123456789012345`, { owner, account: 7, upTo: 123_456_789_012_345 }],
  ['?account=0&upTo=1234567890123456', { owner: '', account: 0, upTo: null }],
  ['?account=-7&upTo=7.5', { owner: '', account: null, upTo: null }],
  [`?owner=${owner}0`, { owner: '', account: null, upTo: null }],
  [`?owner=0${owner}`, { owner: '', account: null, upTo: null }],
  [`?owner=${owner.slice(1)}`, { owner: '', account: null, upTo: null }],
  [`?owner=${owner.replace('A', 'G')}`, { owner: '', account: null, upTo: null }],
])('the books show the account in their address, and otherwise the platform’s: %s', (address, expected) => {
  expect(booksFiltersIn(new URLSearchParams(address))).toEqual(expected)
})

const every = { type: null, status: null, campaign: null, at: null }
test.each([
  ['', every],
  ['?type=&status=&campaign=', every],
  ['?type=REFUND&status=LATE', every],
  [
    '?type=DEBIT,FEE&status=PENDING&campaign=c1&page=2',
    { type: 'DEBIT,FEE', status: 'PENDING', campaign: 'c1', at: { page: 2 } },
  ],
  ['?page=', every],
  ['?page=0', { ...every, at: { page: 1 } }],
  ['?page=two', { ...every, at: { page: 1 } }],
  ['?page=7&cursor=abc', { ...every, at: { page: 7, cursor: 'abc' } }],
  ['?cursor=abc', every],
])(
  'a statement shows the lines that its address names, and has pages only if it names one: %s',
  (address, expected) => {
    expect(statementFilterIn(new URLSearchParams(address))).toEqual(expected)
    expect(onScreen(useStatementFilter, address).filter).toEqual(expected)
  },
)
