/**
 * What the tests of a file share, each declared in one line and made before they run: the application and the people signed
 * in to it. Vitest's `test.extend` would not do: helpers outside of the tests use them too, and would need each as an argument.
 */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Role } from '../kit/roles.ts'
import type { Person, TestApp } from './app.ts'
import { sharedTestApp, startTestApp } from './start.ts'

type Hooks = { before: (work: () => Promise<void>) => void; after: (work: () => Promise<void> | undefined) => void }

const perFile: Hooks = { before: beforeAll, after: afterAll }
const perTest: Hooks = { before: beforeEach, after: afterEach }
const hooksOf = new WeakMap<TestApp, Hooks>()

/** A stand-in for a value that a hook sets later. */
const later = <T extends object>(current: () => T | undefined): T =>
  new Proxy({} as T, {
    get: (_target, key): unknown => {
      const value = current()
      if (!value) throw new Error(`${String(key)} is read before the hooks have run`)
      return Reflect.get(value, key)
    },
  })

type Env = Record<string, string>
type Options = Parameters<typeof startTestApp>[1] & {
  /** A new database and new people for every test. */
  fresh?: boolean
  /** For tests after which the application cannot be used by others. */
  own?: boolean
}

/**
 * The application with these environment variables (a function is called when it starts), started before the file's first test
 * and stopped after the last. Without any, it is one that other files use as well, with an empty database.
 */
export const testApp = (
  env: Env | (() => Env) = {},
  { fresh = false, own = false, ...options }: Options = {},
): TestApp => {
  const isShared = !own && Object.keys(env).length + Object.keys(options).length === 0 && typeof env !== 'function'
  const hooks = fresh ? perTest : perFile
  let started: TestApp | undefined
  hooks.before(async () => {
    started = isShared ? await sharedTestApp() : await startTestApp(typeof env === 'function' ? env() : env, options)
  })
  hooks.after(() => started?.stop())
  const app = later(() => started)
  hooksOf.set(app, hooks)
  return app
}

/** Somebody who has registered and signed in before the tests run. */
export const signedUp = (app: TestApp, role: Role, more: Record<string, unknown> = {}): Person => {
  let person: Person | undefined
  hooksOf.get(app)!.before(async () => {
    person = await app.signUp(role, more)
  })
  return later(() => person)
}

/** So many people of one role. */
export const allSignedUp = (app: TestApp, role: Role, count: number): Person[] => {
  const numbers = Array.from({ length: count }, (_, number) => number)
  let people: Person[] = []
  hooksOf.get(app)!.before(async () => {
    people = await Promise.all(numbers.map(() => app.signUp(role)))
  })
  return numbers.map(number => later(() => people[number]))
}
