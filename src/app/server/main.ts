/** `npm start`: the whole product on one port. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { ensureAdmin, type FirstAdmin } from '../../accounts/server/accounts.ts'
import { useSecondFactors } from '../../accounts/server/relyingParty.ts'
import { weaknessOfAdmin } from '../../accounts/server/strongPasswords.ts'
import { addressOf } from './address.ts'
import { createApp } from './app.ts'
import { startBackend } from './boot.ts'
import { type Database, openDatabase } from './database.ts'
import { type Env, readEnv } from './env.ts'
import { startHeartbeat } from '../../kit/server/heartbeat.ts'
import { startFollowing } from './following.ts'
import { listenOn, tryListening } from './listening.ts'
import { underWayMs } from '../../kit/server/draining.ts'
import { giveBackMemory } from '../../kit/server/memory.ts'
import { buildPageIfStale, servePage } from './page.ts'

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Stops everything in reverse order of starting; a second signal exits at once. */
const stops: (() => Promise<unknown>)[] = []
let stopping = false
/** Does not include requests, which get their own time before (draining.ts). */
let shutDownMs = 9_000

/**
 * A PostgreSQL that is starting can only be stopped once it is up. One that takes longer, such as to recover, ends with this
 * process.
 */
let opening: Promise<unknown> = Promise.resolve()
const openingMs = 20_000

const shutDown = async (code: number): Promise<void> => {
  if (stopping) process.exit(code || 1)
  stopping = true
  await Promise.race([opening.catch(() => undefined), pause(openingMs)])
  setTimeout(() => process.exit(code || 1), shutDownMs).unref()
  for (const stop of stops.toReversed()) {
    await stop().catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
  }
  process.exit(code)
}

const open = async (env: Env): Promise<Database> => {
  const database = await openDatabase(env, {
    log: say,
    onUnexpectedExit: why => {
      process.stderr.write(`PostgreSQL ended unexpectedly: ${why}\n`)
      void shutDown(1)
    },
  })
  stops.push(database.stop)
  return database
}

const listen = async (app: FastifyInstance, env: Env) => {
  await listenOn(env, at => app.listen(at))
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : env.PORT
}

const greet = (env: Env, address: string, admin: FirstAdmin) => {
  say(`\nFieldtest is ready: ${address}`)
  if (admin.outcome === 'CREATED' && admin.password !== null)
    say(`Sign in as admin: ${admin.email} with the one-time password ${admin.password} (it is not shown again)`)
  else if (admin.outcome === 'ELSEWHERE')
    say(
      `Sign in as admin with an address other than ${env.ADMIN_EMAIL}, which is not an admin's, or create another admin: npm run admin -- create`,
    )
  else if (admin.outcome === 'MADE_BEFORE')
    say(
      'Sign in as admin with an existing account, such as the one made by npm run demo, or create another admin: npm run admin -- create',
    )
  else if (env.ADMIN_EMAIL) say(`Sign in as admin: ${env.ADMIN_EMAIL} with ADMIN_PASSWORD`)
  else
    say('Sign in as admin with the password shown at the first start, or create another admin: npm run admin -- create')
  if (!env.SMTP_URL)
    say(`Emails are written to ${join(env.DATA_DIR, 'mail')} instead of being sent: set SMTP_URL to send them.`)
  else if (/no-?reply@/i.test(env.MAIL_FROM))
    say(`Emails ask people to reply, but come from ${env.MAIL_FROM}: set MAIL_FROM to a mailbox that somebody reads.`)
  if (env.FIELDTEST_TEST_CLOCK) say('The test clock is on: anyone can move the clock of this server forward.')
}

/** Only production insists: elsewhere, a refusal would lock people out of a server that already runs with it. */
const warnOfWeakAdmin = ({ ADMIN_EMAIL, ADMIN_PASSWORD, production }: Env) => {
  const weakness = ADMIN_EMAIL && ADMIN_PASSWORD ? weaknessOfAdmin(ADMIN_EMAIL, ADMIN_PASSWORD) : null
  if (weakness === null) return
  if (production) throw new Error(`ADMIN_PASSWORD is weak. ${weakness} Choose another one.`)
  say(`ADMIN_PASSWORD is weak. ${weakness} Production would refuse it.`)
}

const onOutdated = (why: string) => {
  process.stderr.write(`${why}\n`)
  void shutDown(1)
}

const start = async (env: Env) => {
  warnOfWeakAdmin(env)
  await tryListening(env)
  // In parallel: together they take up most of a first start.
  const opened = open(env)
  if (!env.DATABASE_URL) opening = opened
  const [database] = await Promise.all([opened, buildPageIfStale(say)])
  if (stopping) return
  let app: FastifyInstance | undefined
  const onError = (error: unknown, where: string) => app?.log.error({ err: error }, where)
  // Stops after the backend, so that its last writes are backed up as well.
  let stopFollowing: (() => Promise<void>) | undefined
  stops.push(async () => stopFollowing?.())
  stops.push(await startBackend(env, database.url, { ownerUrl: database.ownerUrl, onError, say, onOutdated }))
  if (stopping) return
  stopFollowing = await startFollowing(env, database, onError)
  const admin = await ensureAdmin({
    email: env.ADMIN_EMAIL,
    password: env.ADMIN_PASSWORD,
    tell: ({ email, password }) => say(`The first admin is ${email}, with the one-time password ${password}`),
  })
  app = await createApp(env)
  await servePage(app, env)
  stops.push(() => app!.drain(env.DRAIN_SECONDS).then(() => app!.close()))
  shutDownMs += env.DRAIN_SECONDS * 1_000 + underWayMs
  giveBackMemory()
  const address = addressOf(env, await listen(app, env))
  // Before anything else is awaited, since requests are already coming in. With PORT=0 the address is known only here.
  useSecondFactors({ publicUrl: address, adminsNeedFactor: env.production })
  stops.push(await startHeartbeat(error => onError(error, 'heartbeat')))
  greet(env, address, admin)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void shutDown(0))

try {
  await start(readEnv(process.env))
} catch (error) {
  // What a stop interrupted did not fail.
  if (!stopping) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await shutDown(1)
  }
}
