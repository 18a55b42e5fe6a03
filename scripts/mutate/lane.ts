/**
 * The process of one lane: a vitest that keeps running on a private copy of the tree, and runs one test file at a time when its
 * parent asks for it. So a mutant takes only the time of its tests, not of starting vitest and PostgreSQL. Ends with its parent.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { type TestSpecification, createVitest } from 'vitest/node'
import type { History, Play } from './player.ts'
import { databaseProject, modelProject, templateDatabase, testDatabases } from './places.ts'

export type Question =
  | { ask: 'tests' }
  | { ask: 'changed'; paths: string[] }
  | { ask: 'run'; path: string; project: string; calls: boolean }
  | { ask: 'sql'; statement: string }
export type TestPlace = { path: string; project: string }
export type Answer =
  | { tests: TestPlace[] }
  /** `calls`: the database functions that the file called, if asked for. */
  | { passed: boolean; failure: string; calls: string[] }
  | { refused: string | null }
  | Record<string, never>

type Outcome = { passed: boolean; failure: string }

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

const runTests = async (path: string, project: string): Promise<Outcome> => {
  const specification = (await specifications()).find(one => pathOf(one) === path && one.project.name === project)
  if (!specification) throw new Error(`there is no ${path} in ${project}`)
  vitest.state.filesMap.clear()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
  const module = testModules.find(({ moduleId }) => moduleId === specification.moduleId)
  const failed = [...(module?.children.allTests('failed') ?? [])][0]
  const error = failed?.result().errors?.[0] ?? module?.errors()[0] ?? unhandledErrors[0]
  const passed = module?.state() === 'passed' && unhandledErrors.length === 0
  const message = error instanceof Object && 'message' in error ? String(error.message) : ''
  return { passed, failure: passed ? '' : [failed?.fullName ?? path, message].filter(Boolean).join(': ') }
}

const run = async (path: string, project: string, asksForCalls: boolean): Promise<Answer> => {
  const outcome = project === modelProject ? await play(path) : await runTests(path, project)
  const hasDatabase = [databaseProject, modelProject].includes(project)
  const calls = hasDatabase && asksForCalls ? await calledFunctions() : []
  if (hasDatabase) await dropTestDatabases()
  return { ...outcome, calls }
}

const serverUrl = () =>
  (vitest.getProjectByName(databaseProject).getProvidedContext() as { serverUrl?: string }).serverUrl

/** The process that plays the next history; it may still be starting. */
let player: Promise<ChildProcess> | undefined
const startPlayer = async () => {
  const child = fork(join(import.meta.dirname, 'player.ts'), [root], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await once(child, 'message')
  return child
}

const play = async (path: string): Promise<Outcome> => {
  await startServer()
  player ??= startPlayer()
  const child = await player
  const ended = new AbortController()
  child.once('exit', () => ended.abort())
  child.send({ serverUrl: serverUrl()!, seed: Number(path.split(' ').at(-1)) } satisfies History)
  const failure = await once(child, 'message', { signal: ended.signal }).then(
    ([answer]) => (answer as Play).failure,
    () => 'its process ended',
  )
  // Each plays only once, because a history may leave something behind in its process.
  child.kill('SIGKILL')
  player = startPlayer()
  return { passed: failure === null, failure: failure === null ? '' : `${path}: ${failure}` }
}

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

const testDatabaseNames = async () =>
  onDatabase(null, async client => {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname like $1', [
      testDatabases,
    ])
    return rows.map(({ datname }) => datname)
  })

/** Functions called in the last test file's databases. PostgreSQL inlines some SQL functions without counting their calls. */
const calledFunctions = async () => {
  const called = new Set<string>()
  for (const name of await testDatabaseNames())
    await onDatabase(name, async client => {
      const { rows } = await client.query<{ funcname: string }>(
        `select distinct funcname from pg_stat_user_functions where schemaname = 'public' and calls > 0`,
      )
      for (const { funcname } of rows) called.add(funcname)
    })
  return [...called]
}

/** Each test file leaves its database behind, which would become thousands. */
const dropTestDatabases = async () => {
  const names = await testDatabaseNames()
  await onDatabase(null, async client => {
    for (const name of names) {
      // Not `with (force)`, with which only a superuser may end an autovacuum worker.
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
        [name],
      )
      await client.query(`drop database if exists ${name}`)
    }
  })
}

/** A test file with a database makes vitest start PostgreSQL, without running any of its tests. */
const startServer = async () => {
  if (serverUrl() !== undefined) return
  const first = (await specifications()).find(one => one.project.name === databaseProject)
  if (!first) return
  vitest.setGlobalTestNamePattern(/^none$/)
  await vitest.runTestSpecifications([first])
  vitest.resetGlobalTestNamePattern()
}

/** Changes the template, so that every test's database has the change. Returns PostgreSQL's refusal, if any. */
const change = async (statement: string): Promise<Answer> => {
  await startServer()
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
      return run(question.path, question.project, question.calls)
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
