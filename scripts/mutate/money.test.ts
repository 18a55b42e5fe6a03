import { describe, expect, it } from 'vitest'
import { choose } from './choose.ts'
import { readTree } from './find.ts'
import { isLedgerRule, moneyFunctions } from './money.ts'
import { liveFunctions } from './sqlPlaces.ts'

const files = [
  { path: 'a.sql', source: 'create function post_phases() as $$ insert into transfers select $$;' },
  { path: 'b.sql', source: 'create function pay() as $$ perform post_phases(); $$;' },
  { path: 'c.sql', source: 'create function verify() as $$ perform pay(); $$;' },
  { path: 'd.sql', source: 'create function balance() as $$ select from accounts $$;' },
  { path: 'f.sql', source: 'create function forget() as $$ delete from lost_returns where id = 1 $$;' },
  { path: 'e.sql', source: 'create function greet() as $$ select balance() -- into transfers $$;' },
]

describe('what counts as money', () => {
  it('includes what writes the books, whatever calls that, and what reads them', () => {
    expect([...moneyFunctions(liveFunctions(files), files)].toSorted()).toEqual([
      'balance',
      'forget',
      'pay',
      'post_phases',
      'verify',
    ])
  })

  it('includes what the ledger decides, but not what it shows or fetches', () => {
    expect(isLedgerRule('src/ledger/holds.ts')).toBe(true)
    expect(isLedgerRule('src/ledger/server/stripe/refusals.ts')).toBe(true)
    for (const name of ['contract.ts', 'server/queries.ts', 'server/papers.ts', 'server/handlers.ts', 'web/keys.ts'])
      expect(isLedgerRule(`src/ledger/${name}`)).toBe(false)
  })
})

describe('a choice of a few mutants for each rule', () => {
  const { mutants } = readTree(`${import.meta.dirname}/../..`)
  const each = (count: number) => choose(mutants, { slices: ['ledger'], each: count, seed: '' })
  const chosen = each(3)

  it('is the same each time, and the beginning of a larger one', () => {
    expect(each(3)).toEqual(chosen)
    const more = new Set(each(5))
    expect(chosen.filter(mutant => !more.has(mutant))).toEqual([])
  })

  it('includes every function that posts, and alternates between operators', () => {
    const ofPosting = chosen.filter(({ rule }) => rule === 'post_phases')
    expect(new Set(ofPosting.slice(0, 3).map(({ operator }) => operator)).size).toBe(3)
    const least = Map.groupBy(
      mutants.filter(({ inFunction, rule }) => inFunction && rule !== undefined),
      ({ rule }) => rule,
    )
    expect(
      [...least].filter(([rule, ones]) => ones.length >= 3 && chosen.filter(one => one.rule === rule).length < 3),
    ).toEqual([])
  })

  it('is left out together with the ledger, and nothing else is', () => {
    const others = new Set(choose(mutants, { slices: ['sql', 'server'], without: ['ledger'], seed: '' }))
    expect(chosen.filter(mutant => others.has(mutant))).toEqual([])
    expect([...others].filter(({ path }) => path.startsWith('src/ledger/'))).toEqual([])
    const campaigns = choose(mutants, { slices: ['campaigns'], seed: '' }).filter(({ rule }) => rule === undefined)
    const wanted = campaigns.filter(({ group }) => group === 'sql' || group === 'server')
    expect(wanted.filter(mutant => !others.has(mutant))).toEqual([])
  })
})
