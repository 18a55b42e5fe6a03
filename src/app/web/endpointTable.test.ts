/** A client names its contract twice, as a type and as a string, and both must agree. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpointTable } from './endpointTable.ts'

const src = join(import.meta.dirname, '../..')
const named = /^ {2}(\w+): (\w+Api),$/gm
const source = readFileSync(join(import.meta.dirname, 'endpointTable.ts'), 'utf8')
const typeOf = new Map([...source.matchAll(named)].map(([, name, type]) => [name!, type!]))

const clients = globSync('**/*.{ts,tsx}', { cwd: src }).flatMap(file => {
  const calls = readFileSync(join(src, file), 'utf8').matchAll(/client<typeof (\w+)>\('(\w+)'\)/g)
  return [...calls].map(([, type, name]) => ({ file, type: type!, name: name! }))
})

test('all contracts of the table were found', () => {
  expect(new Set(typeOf.keys())).toEqual(new Set(Object.keys(endpointTable)))
  expect(clients.length).toBeGreaterThan(10)
})

test.each(clients.filter(({ file }) => file !== 'kit/web/api.ts'))(
  '$file names the contract $name as the type says',
  ({ name, type }) => {
    expect(typeOf.get(name)).toBe(type)
  },
)
