import { describe, expect, it } from 'vitest'
import { applyEdits } from './edits.ts'
import { conditions } from './conditions.ts'
import { statements } from './statements.ts'
import { parse, placesIn } from './syntax.ts'
import { values } from './values.ts'
import { readVocabulary } from './vocabulary.ts'

const path = 'src/shop/rules.ts'
const vocabulary = readVocabulary([
  { path: 'src/shop/contract.ts', source: "export const states = ['OPEN', 'PAID', 'SENT'] as const" },
])

/** What an operator makes of a source text, each mutant in full. */
const mutantsBy = (name: string, source: string) => {
  const operator = [...conditions, ...values, ...statements].find(one => one.name === name)
  if (!operator) throw new Error(`no operator ${name}`)
  return [...placesIn(parse(path, source)!)].flatMap(place =>
    operator.find(place, { path, source, vocabulary }).map(edits => applyEdits(source, edits)),
  )
}

const examples: [operator: string, source: string, mutants: string[]][] = [
  ['condition negated', 'if (isOpen) pay()', ['if (!(isOpen)) pay()']],
  ['condition negated', 'x = !isOpen ? 1 : 2', ['x = isOpen ? 1 : 2']],
  ['condition negated', 'if (a === b) pay()', []],
  ['comparison', 'x = a < b', ['x = a <= b']],
  ['comparison', "x = '’' === b", ["x = '’' !== b"]],
  ['&&/|| swapped', 'x = a && b', ['x = a || b']],
  ['part of a condition removed', 'x = a || b', ['x = a', 'x = b']],
  ['guard removed', "if (!row) throw new Error('gone')\nsave()", [';\nsave()']],
  ['guard removed', 'const f = () => { if (!row) { tell(); return } save() }', ['const f = () => { ; save() }']],
  ['guard removed', 'const f = () => { if (!row) return 1; else save() }', []],
  ['arithmetic', 'x = a + b * 2', ['x = a - b * 2', 'x = a + b / 2']],
  ['arithmetic', "x = a + ' cents'", []],
  ['arithmetic', 'sum -= fee', ['sum += fee']],
  ['minus sign removed', 'x = -hours', ['x = hours']],
  ['rounding, min and max', 'x = Math.floor(a)', ['x = Math.ceil(a)']],
  ['rounding, min and max', 'x = Math.min(a, b)', ['x = Math.max(a, b)']],
  ['number', 'x = 60_000', ['x = 60001', 'x = 59999']],
  ['number', 'x = 0', ['x = 1']],
  ['enum value replaced', "x = state === 'PAID'", ["x = state === 'SENT'"]],
  ['enum value replaced', "x = { SENT: 'nothing of the list' }", []],
  ['enum value replaced', "const states = ['OPEN', 'PAID'] as const", []],
  ['enum value replaced', "type State = 'OPEN' | 'PAID'", []],
  ['boolean flipped', 'x = true', ['x = false']],
  ['default removed', 'x = a ?? 5', ['x = a']],
  ['default removed', 'const f = ({ limit = 10 }) => limit', ['const f = ({ limit }) => limit']],
  ['method call removed', 'x = rows.filter(isOpen)', ['x = rows']],
  ['method call removed', 'x = Math.max(a, b)', []],
  ['method replaced', 'x = rows.some(isOpen)', ['x = rows.every(isOpen)']],
  ['method replaced', 'x = key.toString()', []],
  ['list element removed', 'x = [a, b]', ['x = [b]', 'x = [a]']],
  ['property removed', 'x = { a, b: 1 }', ['x = { b: 1 }', 'x = { a }']],
  ['property removed', "x = { title: 'Words for people' }", []],
  ['access', "x = { access: 'ADMIN' }", ["x = { access: 'SIGNED_IN' }", "x = { access: 'DEVELOPER' }"]],
  ['access', "x = { access: ['DEVELOPER', 'ADMIN'] }", ["x = { access: 'SIGNED_IN' }"]],
  ['pattern anchor removed', 'x = /^a+$/i', ['x = /a+$/i', 'x = /^a+/i']],
  ['call removed', 'await forget(id)\nsave(id)', [';\nsave(id)', 'await forget(id)\n;']],
  ['call removed', 'const leave = () => forget(id)', ['const leave = () => undefined']],
  ['assignment removed', 'owner = id', [';']],
  ['await removed', 'await forget(id)', ['void forget(id)']],
]

describe('operators for TypeScript', () => {
  it.each(examples)('%s: %s', (operator, source, mutants) => {
    expect(mutantsBy(operator, source)).toEqual(mutants)
  })

  it('each have an example', () => {
    const known = new Set(examples.map(([operator]) => operator))
    expect([...conditions, ...values, ...statements].map(({ name }) => name).filter(name => !known.has(name))).toEqual(
      [],
    )
  })

  it('ignore types and imports', () => {
    const source =
      "import { a } from './PAID.ts'\ntype Limit = { least: 1; state: 'PAID' }\nexport const f = (x: 'PAID'): 2 => x as 2"
    const all = [...conditions, ...values, ...statements].flatMap(({ name }) => mutantsBy(name, source))
    expect(all).toEqual([])
  })
})
