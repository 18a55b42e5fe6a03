import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { instrumented, regionAround, regionName, regionsOf } from './probes.ts'

const path = 'src/shop/rules.ts'
const source = `export const price = (count, isMember) => (isMember ? half(count) : count * 10)
function half(count) {
  if (count > 9) {
    return 1
  }
  return (count > 5 && later()) || count * 5
}
const later = () => ({ valueOf: () => 7 })
`

/** Runs the module with its probes; returns its answer and what the probes noted. */
const run = (call: string) => {
  const notes: string[] = []
  const body = instrumented(path, source)
    .replace(/^import .*?;/, '')
    .replace('export ', '')
  const answer: unknown = runInNewContext(`${body}\nNumber(${call})`, { __reached: (name: string) => notes.push(name) })
  return { answer, notes }
}

const regionOf = (text: string) => {
  const start = source.indexOf(text)
  return regionName(path, regionAround(regionsOf(path, source), [{ start, end: start + text.length, text: '' }]))
}

describe('probes', () => {
  it('leave answers unchanged', () => {
    expect(
      [run('price(2, false)'), run('price(4, true)'), run('price(6, true)'), run('price(10, true)')].map(r => r.answer),
    ).toEqual([20, 20, 7, 1])
  })

  it('note the branch that ran and not the other one', () => {
    const { notes } = run('price(2, false)')
    expect(notes).toContain(regionOf('count * 10'))
    expect(notes).not.toContain(regionOf('count * 5'))
    expect(notes).not.toContain(regionOf('half(count) :'.slice(0, 11)))
  })

  it('keep every line in its place', () => {
    expect(instrumented(path, source).split('\n')).toHaveLength(source.split('\n').length)
  })
})
