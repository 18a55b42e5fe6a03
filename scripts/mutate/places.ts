/** Where mutants are made, which group they count in, and how many of each group tests have to kill. All paths are here. */
import { globSync } from 'node:fs'
import { sep } from 'node:path'

export const groups = ['rules', 'sql', 'access', 'server', 'page'] as const
export type Group = (typeof groups)[number]

/** The percentage of a group's mutants that tests have to kill. */
export const targets: Record<Group, number> = { rules: 95, sql: 95, access: 95, server: 90, page: 85 }

/** The first row that matches a path names its group; null: no mutants are made in it. */
const groupsOfPaths: [RegExp, Group | null][] = [
  [/\.(test|cases|d)\.tsx?$/, null],
  [/^src\/testing\//, null],
  [/^migrations\/.*\.sql$/, 'sql'],
  [/^src\/kit\/server\/(session|http)\.ts$/, 'access'],
  // Browser journeys test the components; what a screen decides is in modules without JSX.
  [/^src\/(.*\/)?web\/.*\.ts$/, 'page'],
  [/^src\/(.*\/)?(server|postgres)\/.*\.ts$/, 'server'],
  [/^src\/.*[cC]ontract\.ts$/, 'server'],
  [/^src\/[^/]+\/[^/]+\.ts$/, 'rules'],
]

/** Tests that need a database belong to this vitest project. */
export const databaseProject = 'http'
/** How short histories of the model are listed among the test files: they notice changes only of the database's functions. */
export const modelProject = 'model'
export const histories = [11, 12, 13].map(seed => ({ path: `history ${seed}`, project: modelProject }))

/** In the tests' PostgreSQL: the database that all others are copies of, and the pattern of their names. */
export const templateDatabase = 'fieldtest_template'
export const testDatabases = String.raw`test\_%`

/** What a private copy of the tree contains; `node_modules` is linked. */
export const copied = [
  'src',
  'migrations',
  'checks',
  'build',
  'scripts',
  'bench',
  'e2e',
  // Tests compare the product with these. If they were missing, they would be written anew with the mutant in them.
  'docs',
  'public',
  '*.html',
  '*.json',
  '*.config.ts',
]

/** What determines which code a test runs, besides the test itself. */
export const measuredPaths = ['src/**/*.{ts,tsx}', 'migrations/**/*.sql', 'vitest.config.ts']

export const typeProjects = ['tsconfig.server.json', 'tsconfig.web.json']

const byTable = (path: string): Group | null => groupsOfPaths.find(([pattern]) => pattern.test(path))?.[1] ?? null

export const groupOf = (path: string): Group => {
  const group = byTable(path)
  if (group === null) throw new Error(`no mutants are made in ${path}`)
  return group
}

/** The folder of a slice; `migrations` for SQL files. */
export const folderOf = (path: string): string => {
  const [first = '', second = ''] = path.split('/')
  return first === 'src' ? second : first
}

const pathsIn = (root: string, patterns: string[]) =>
  globSync(patterns, { cwd: root })
    .map(path => path.split(sep).join('/'))
    .toSorted()

/** Every path that is mutated, relative to `root` and with slashes. */
export const mutatedPaths = (root: string): string[] =>
  pathsIn(root, ['src/**/*.ts', 'migrations/**/*.sql']).filter(path => byTable(path) !== null)

/** The product's other modules, and what tests share. */
export const unmutatedPaths = (root: string): string[] =>
  pathsIn(root, ['src/**/*.{ts,tsx}']).filter(path => byTable(path) === null && !/\.test\.tsx?$/.test(path))
