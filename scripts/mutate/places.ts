/** Where mutants are made, what they count for, and how many of them tests have to kill: the only paths that are known here. */
import { globSync } from 'node:fs'
import { sep } from 'node:path'

export const groups = ['rules', 'sql', 'access', 'server', 'page'] as const
export type Group = (typeof groups)[number]

/** Per cent of a group's mutants that tests have to kill. */
export const targets: Record<Group, number> = { rules: 95, sql: 95, access: 95, server: 90, page: 85 }

/** The first row that fits a path says which group it belongs to; null: no mutants are made in it. */
const groupsOfPaths: [RegExp, Group | null][] = [
  [/\.(test|cases|d)\.tsx?$/, null],
  [/^src\/testing\//, null],
  [/^migrations\/.*\.sql$/, 'sql'],
  [/^src\/kit\/server\/(session|http)\.ts$/, 'access'],
  // Components are held by the browser journeys; what a screen decides stands in modules without JSX.
  [/^src\/(.*\/)?web\/.*\.ts$/, 'page'],
  [/^src\/(.*\/)?(server|postgres)\/.*\.ts$/, 'server'],
  [/^src\/.*[cC]ontract\.ts$/, 'server'],
  [/^src\/[^/]+\/[^/]+\.ts$/, 'rules'],
]

/** Which tests need a database, by the name of their vitest project. */
export const databaseProject = 'http'
/** How short histories of the model stand among the test files: they notice changes of the database's functions alone. */
export const modelProject = 'model'
export const histories = [11, 12, 13].map(seed => ({ path: `history ${seed}`, project: modelProject }))

/** In the tests' PostgreSQL: the database that all others are copies of, and how the copies are called. */
export const templateDatabase = 'fieldtest_template'
export const testDatabases = String.raw`test\_%`

/** What a private copy of the tree holds; `node_modules` is linked. */
export const copied = [
  'src',
  'migrations',
  'checks',
  'build',
  'scripts',
  'bench',
  'e2e',
  // What a test compares it with; missing, it would be written anew with the mutant in it.
  'docs',
  'public',
  '*.html',
  '*.json',
  '*.config.ts',
]

/** What decides which code a test runs, besides the test itself. */
export const measuredPaths = ['src/**/*.{ts,tsx}', 'migrations/**/*.sql', 'vitest.config.ts']

export const typeProjects = ['tsconfig.server.json', 'tsconfig.web.json']

const byTable = (path: string): Group | null => groupsOfPaths.find(([pattern]) => pattern.test(path))?.[1] ?? null

export const groupOf = (path: string): Group => {
  const group = byTable(path)
  if (group === null) throw new Error(`no mutants are made in ${path}`)
  return group
}

/** The folder that holds a slice's own; `migrations` for SQL files. */
export const folderOf = (path: string): string => {
  const [first = '', second = ''] = path.split('/')
  return first === 'src' ? second : first
}

const pathsIn = (root: string, patterns: string[]) =>
  globSync(patterns, { cwd: root })
    .map(path => path.split(sep).join('/'))
    .toSorted()

/** Every path that is mutated, below `root` and with slashes. */
export const mutatedPaths = (root: string): string[] =>
  pathsIn(root, ['src/**/*.ts', 'migrations/**/*.sql']).filter(path => byTable(path) !== null)

/** The product's other modules, and what tests share. */
export const unmutatedPaths = (root: string): string[] =>
  pathsIn(root, ['src/**/*.{ts,tsx}']).filter(path => byTable(path) === null && !/\.test\.tsx?$/.test(path))
