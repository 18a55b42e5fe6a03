import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { locksOfEach, wholeLocks } from './advisoryLocks.ts'
import { projectRoot } from './root.ts'

test.each([wholeLocks, locksOfEach])('no two advisory locks share a number', table => {
  const numbers = Object.values(table)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('every lock number in an SQL function or a statement is in the table', () => {
  const files = globSync(['migrations/functions/*.sql', 'src/*/server/**/*.ts'], { cwd: projectRoot })
  const locked = files.flatMap(file =>
    [...readFileSync(join(projectRoot, file), 'utf8').matchAll(/advisory\w*lock\w*\((\d+)(,?)/g)].map(
      ([, number, comma]) => ({ file, number: Number(number), table: comma ? locksOfEach : wholeLocks }),
    ),
  )
  expect(locked.map(({ number }) => number)).toContain(wholeLocks.FIGURES)
  expect(locked.filter(({ number, table }) => !Object.values<number>(table).includes(number))).toEqual([])
  expect(locked.filter(({ file }) => file.endsWith('.ts'))).toEqual([])
})
