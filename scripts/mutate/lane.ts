/**
 * The process of one lane: a vitest that stays, on a private copy of the tree, and runs one test file at a time when its
 * parent says so. So a mutant costs what its tests cost, and no start of vitest and PostgreSQL. Ends with its parent.
 */
import { join } from 'node:path'
import pg from 'pg'
import { type TestSpecification, createVitest } from 'vitest/node'
import { databaseProject, templateDatabase, testDatabases } from './places.ts'

export type Question =
  | { ask: 'tests' }
  | { ask: 'changed'; paths: string[] }
  | { ask: 'run'; path: string; project: string }
  | { ask: 'sql'; statement: string }
export type TestPlace = { path: string; project: string }
export type Answer =
  | { tests: TestPlace[] }
  | { passed: boolean; failure: string }
  | { refused: string | null }
  | Record<string, never>

const root = process.argv[2]!

const vitest = await createVitest(
  'test',
  {
    root,
    config: join(root, 'vitest.config.ts'),
    watch: false,
    bail: 1,
    silent: true,
    reporters: [{}],
    maxWorkers: 1,
    update: false,
  },
  { cacheDir: join(root, '.vite') },
)

let all: TestSpecification[] | undefined
const specifications = async () => (all ??= await vitest.globTestSpecifications())
const pathOf = ({ moduleId }: TestSpecification) => moduleId.slice(root.length + 1)

const run = async (path: string, project: string): Promise<Answer> => {
  const specification = (await specifications()).find(one => pathOf(one) === path && one.project.name === project)
  if (!specification) throw new Error(`there is no ${path} in ${project}`)
  vitest.state.filesMap.clear()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
  const module = testModules.find(({ moduleId }) => moduleId === specification.moduleId)
  const failed = [...(module?.children.allTests('failed') ?? [])][0]
  const error = failed?.result().errors?.[0] ?? module?.errors()[0] ?? unhandledErrors[0]
  const passed = module?.state() === 'passed' && unhandledErrors.length === 0
  const message = error instanceof Object && 'message' in error ? String(error.message) : ''
  if (project === databaseProject) await dropTestDatabases()
  return { passed, failure: passed ? '' : [failed?.fullName ?? path, message].filter(Boolean).join(': ') }
}

const serverUrl = () =>
  (vitest.getProjectByName(databaseProject).getProvidedContext() as { serverUrl?: string }).serverUrl

const onDatabase = async <T>(database: string | null, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const url = new URL(serverUrl()!)
  if (database !== null) url.pathname = `/${database}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Each test file leaves its database behind, and there will be thousands. */
const dropTestDatabases = () =>
  onDatabase(null, async client => {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname like $1', [
      testDatabases,
    ])
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
  })

/** In the template, so that every test's database has it. Gives the sentence of a refusal. */
const change = async (statement: string): Promise<Answer> => {
  // A test file with a database makes vitest start the server.
  if (serverUrl() === undefined) {
    const first = (await specifications()).find(one => one.project.name === databaseProject)
    if (first) await vitest.runTestSpecifications([first])
  }
  try {
    await onDatabase(templateDatabase, client => client.query(statement))
    return { refused: null }
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) }
  }
}

const answer = async (question: Question): Promise<Answer> => {
  switch (question.ask) {
    case 'tests':
      return { tests: (await specifications()).map(one => ({ path: pathOf(one), project: one.project.name })) }
    case 'changed':
      for (const path of question.paths) vitest.invalidateFile(join(root, path))
      return {}
    case 'run':
      return run(question.path, question.project)
    case 'sql':
      return change(question.statement)
  }
}

process.on('message', (question: Question) => {
  answer(question).then(
    reply => process.send!(reply),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => {
  void vitest.close().finally(() => process.exit(0))
})
process.send!({})
