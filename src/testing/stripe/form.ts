/** Stripe's form bodies: `metadata[of]=x`, `line_items[0][quantity]=1`. */
import type { Fields } from './state.ts'

type Tree = Map<string, Tree | string>

const asList = (tree: Tree): Fields | unknown[] => {
  const entries = [...tree].map(([name, value]) => [name, value instanceof Map ? asList(value) : value] as const)
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index) || name === '')
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

export const readForm = (text: string): Fields => {
  const root: Tree = new Map()
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.split('[').map(part => part.replace(/\]$/, ''))
    const path = [first, ...rest]
    let place = root
    for (const step of path.slice(0, -1)) {
      const next = place.get(step)
      const inner = next instanceof Map ? next : new Map<string, Tree | string>()
      place.set(step, inner)
      place = inner
    }
    const last = path.at(-1)!
    place.set(last === '' ? String(place.size) : last, value)
  }
  const read = asList(root)
  return Array.isArray(read) ? {} : read
}
