/**
 * Starts the real application in this process, on a database of its own. Jobs run only when the test moves the clock, so that it
 * can look at each step; everything else is as in production.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { inject } from 'vitest'
import { setHashCost } from '../accounts/server/passwords.ts'
import { createApp } from '../app/server/app.ts'
import { startBackend } from '../app/server/boot.ts'
import { readEnv } from '../app/server/env.ts'
import { clock } from '../kit/clock.ts'
import { type AnyJob, currentJobs } from '../kit/server/jobs.ts'
import { clientOf, type Running, type TestApp } from './app.ts'
import { conformanceTo } from './conformance.ts'
import { cloneTemplate, productUrlOf } from './databases.ts'
import { type Restorable, restorable } from './restorable.ts'

type StartOptions = {
  /** For tests that break something on purpose. By default, an error in the background fails the test. */
  onError?: (error: unknown) => void
  /** A connection to the database that a test can interrupt (wire.ts). */
  via?: (databaseUrl: string) => Promise<string>
  /** Hashes passwords as slowly as in production. */
  hashesForReal?: boolean
}

const cheapHash = { memoryCost: 8, timeCost: 1 }

/** A process can run only one application, so this stops the one that tests share. */
export const startTestApp = async (env: Record<string, string> = {}, options: StartOptions = {}): Promise<TestApp> => {
  await stopSharedApp()
  return clientOf(await start(env, options))
}

type Shared = { running: Running; jobs: readonly AnyJob[]; installation: Restorable; isIdle: boolean }
let shared: Shared | undefined

/**
 * An application with default settings, empty like a new one. It starts once per process, because that is most of the time of a
 * short test file. If a test makes it listen, or changes its schema or jobs, no other test gets it.
 */
export const sharedTestApp = async (): Promise<TestApp> => {
  if (shared) await shared.installation.restore()
  const app = (shared ??= await startShared())
  app.isIdle = false
  const stop = async () => {
    app.isIdle = true
    // The next file may read the time while it is being loaded.
    clock.setOffsetMs(0)
    const isAsItWas =
      !app.running.app.server.listening && currentJobs() === app.jobs && (await app.installation.hasItsSchema())
    if (!isAsItWas) await stopSharedApp()
  }
  return clientOf({ ...app.running, stop })
}

const startShared = async (): Promise<Shared> => {
  // It is not told that the last file has run. Its PostgreSQL then stops, which is no failure.
  const onError = (error: unknown) => {
    if (!shared?.isIdle) throw error
  }
  const running = await start({}, { onError })
  return { running, jobs: currentJobs(), installation: await restorable(running), isIdle: false }
}

export const stopSharedApp = async (): Promise<void> => {
  const stopping = shared
  shared = undefined
  await stopping?.installation.close()
  await stopping?.running.stop()
}

const start = async (
  env: Record<string, string>,
  { onError = rethrow, via = url => Promise.resolve(url), hashesForReal = false }: StartOptions,
): Promise<Running> => {
  const dataDir = await mkdtemp(join(inject('scratch'), 'app-'))
  const databaseUrl = await cloneTemplate(inject('serverUrl'))
  const settings = readEnv({
    DATA_DIR: dataDir,
    RATE_LIMIT: 'off',
    FIELDTEST_TEST_CLOCK: '1',
    LOG_LEVEL: 'silent',
    ...env,
  })
  clock.setOffsetMs(0)
  setHashCost(hashesForReal ? undefined : cheapHash)
  const ownerUrl = await via(databaseUrl)
  const stopBackend = await startBackend(settings, productUrlOf(ownerUrl), { ownerUrl, onError, work: false })
  const app = await createApp(settings)
  await app.ready()
  checkConformance(app)
  const stop = async () => {
    await app.close()
    await stopBackend()
    setHashCost()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { app, dataDir, databaseUrl, stop }
}

/** Every request and answer of a test has to be as the API document says. */
const checkConformance = (app: FastifyInstance): void => {
  const check = conformanceTo(app)
  const send = app.inject.bind(app) as (sent: InjectOptions) => Promise<LightMyRequestResponse>
  app.inject = (async (sent: InjectOptions) => {
    const reply = await send(sent)
    check(sent, reply)
    return reply
  }) as typeof app.inject
}

const rethrow = (error: unknown): void => {
  throw error
}
