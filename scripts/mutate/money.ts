/** What counts as money: the database functions that move it or say how much there is, and the rules of the ledger. */
import type { SqlFunction } from './sqlPlaces.ts'

type Files = readonly { path: string; source: string }[]

const written =
  /\b(?:into|update|from|join)\s+(accounts|account_marks|ledger_horizon|transfers|refunds|refund_parts|disputes)\b/
const recorded =
  /\b(?:insert\s+into|update|delete\s+from)\s+(charges|payments|withdrawals|refund_parts|provider_calls|disputes|lost_movements|lost_returns|lost_disputes|account_fees|outside_refunds|over_refunds|transactions)\b/

/** These move nothing themselves, but decide who is paid. */
const deciding = new Set(['days_tested', 'is_renewable', 'reject_participation'])

/** A server of the previous release may still call it (decision 047); nothing in this release does. */
const isRetired = (source: string) => source.startsWith('-- Retired:')

/** The functions that read or write the books or the records of money on its way, and whatever calls one that writes. */
export const moneyFunctions = (all: readonly SqlFunction[], files: Files): Set<string> => {
  const functions = all.filter(({ path }) => !isRetired(files.find(file => file.path === path)!.source))
  const bodies = new Map(
    functions.map(({ name, path, body }) => {
      const { source } = files.find(file => file.path === path)!
      return [name, source.slice(body.start, body.end).replaceAll(/--[^\n]*/g, '')]
    }),
  )
  const writing = new Set(
    [...bodies].filter(([, body]) => recorded.test(body) || body.includes('post_')).map(([name]) => name),
  )
  for (let before = 0; before < writing.size;) {
    before = writing.size
    const calls = new RegExp(String.raw`\b(${[...writing].join('|')})\s*\(`)
    for (const [name, body] of bodies) if (calls.test(body)) writing.add(name)
  }
  const reading = [...bodies].filter(([name, body]) => written.test(body) || deciding.has(name)).map(([name]) => name)
  return new Set([...writing, ...reading])
}

/** What the ledger shows, prints, fetches or passes on is not a rule. */
const noRule = /([cC]ontract|[wW]ords|terms|queries|[hH]andlers?|[pP]aper\w*|transactionCsv)\.ts$/
const ofLedger = /^src\/ledger\/(server\/(stripe\/)?)?[^/]+\.ts$/

export const isLedgerRule = (path: string): boolean => ofLedger.test(path) && !noRule.test(path)

/** The test files that may notice: those of the slices that move money, and of what these are built on. */
export const isMoneyTest = (path: string): boolean =>
  /^src\/(ledger|books|campaigns|participations|nda|testing\/stripe)\//.test(path) && !longModel.test(path)

/** Short histories replace these. */
const longModel = /\/model\w*\.test\.ts$/
