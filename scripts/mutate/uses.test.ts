import { describe, expect, it } from 'vitest'
import { type Region, regionName, regionsOf } from './probes.ts'
import { usesIn } from './uses.ts'

const limits = {
  path: 'src/shop/limits.ts',
  source: 'export const least = 5\nexport const most = least * 2\nexport default [7]\n',
}
const rules = {
  path: 'src/shop/rules.ts',
  source:
    "import { least, most } from './limits.ts'\nexport const fits = count => count <= most\nexport const buys = count => count >= least\n",
}
const elsewhere = { path: 'src/shop/Page.tsx', source: '<p>{shown}</p>' }

const at = ({ source }: { source: string }, text: string) => {
  const start = source.indexOf(text)
  return [{ start, end: start + text.length, text: '' }]
}
const regionOf = (file: { path: string; source: string }, text: string) => {
  const holds = ({ start, end }: Region) => start <= file.source.indexOf(text) && file.source.indexOf(text) < end
  return regionName(file.path, regionsOf(file.path, file.source).findLastIndex(holds))
}
const uses = usesIn([limits, rules, { path: 'src/shop/words.ts', source: 'const shown = 1' }], [elsewhere])

describe('a constant matters', () => {
  it('where its name is used, even through other constants', () => {
    expect(uses.of(limits.path, at(limits, '5'))).toEqual({
      regions: new Set([regionOf(rules, 'count <= most'), regionOf(rules, 'count >= least')]),
      names: new Set(['least', 'most']),
    })
    expect(uses.of(limits.path, at(limits, '2'))?.regions).toEqual(new Set([regionOf(rules, 'count <= most')]))
  })

  it('in the function that contains it, if there is one', () => {
    expect(uses.of(rules.path, at(rules, 'count >= least'))?.regions).toEqual(
      new Set([regionOf(rules, 'count >= least')]),
    )
  })

  it('at every import if it has no name, or if its name is used where there are no probes', () => {
    expect(uses.of(limits.path, at(limits, '7'))).toBeNull()
    expect(uses.of('src/shop/words.ts', [{ start: 14, end: 15, text: '' }])).toBeNull()
  })
})
