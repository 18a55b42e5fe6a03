import { expect, test } from 'vitest'
import { isShowing, linesAt, linesInWords, type StatementFilter } from './statementFilter.ts'

test.each([
  [{ type: null, status: null }, '?page=1'],
  [{ type: 'CREDIT', status: null }, '?page=1&type=CREDIT'],
  [{ type: null, status: 'PENDING' }, '?page=1&status=PENDING'],
  [{ type: 'DEBIT,FEE', status: 'COMPLETED' }, '?page=1&type=DEBIT%2CFEE&status=COMPLETED'],
] as const)('%o are found at the first page of %s', (lines, address) => expect(linesAt(lines)).toBe(address))

const refunds = { type: 'CREDIT', status: 'PENDING' } as const
test.each<[string, boolean, Partial<StatementFilter>]>([
  ['the same lines', true, {}],
  ['another page of them', true, { at: { page: 9 } }],
  ['those of one campaign', false, { campaign: 'c1' }],
  ['lines of another type', false, { type: 'FEE' }],
  ['lines of any status', false, { status: null }],
])('a figure is marked as shown only above all of its lines: %s', (_, shown, change) => {
  expect(isShowing(refunds, { ...refunds, campaign: null, at: null, ...change })).toBe(shown)
})

test.each([
  ['DEVELOPER', 'CREDIT', 'PENDING', 'refunds on the way'],
  ['DEVELOPER', 'CREDIT', 'COMPLETED', 'refunds'],
  ['TESTER', 'CREDIT', 'PENDING', 'earnings'],
  ['TESTER', 'PAYOUT', 'PENDING', 'withdrawals on the way'],
  ['TESTER', 'PAYOUT', null, 'withdrawals'],
  ['DEVELOPER', 'DEBIT', 'PENDING', 'payments'],
  ['DEVELOPER', 'FEE', null, 'platform fees'],
  ['DEVELOPER', null, 'PENDING', 'transactions'],
] as const)('to a %s the lines of %s that are %s are "%s"', (role, type, status, words) => {
  expect(linesInWords({ type, status }, role)).toBe(words)
})
