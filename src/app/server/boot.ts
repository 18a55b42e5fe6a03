/** Starts and stops the parts of a server in order: migrations, clock, sessions, mail, jobs. */
import { join } from 'node:path'
import { assertWritable, stopImageWorker, useStorage } from '../../attachments/server/attachments.ts'
import { useBankMinimum, useDeleted, useExamined } from '../../accounts/server/accounts.ts'
import { useSecondFactors } from '../../accounts/server/relyingParty.ts'
import { secondFactorGuard } from '../../accounts/server/secondFactorGuard.ts'
import { costsOfLeaving } from '../../continuity/server/leaving.ts'
import { gravelyReported, isGravelyReported } from '../../fraud/server/fraud.ts'
import { useOpened } from '../../nda/server/nda.ts'
import { tellOfOpened, useCosts, useReported } from '../../participations/server/participations.ts'
import { settledNotices } from '../../participations/server/settledNotices.ts'
import { settledRetests } from '../../changes/server/settledRetests.ts'
import { closeMail, useMail, useSettled } from '../../notifications/server/notifications.ts'
import { connect, disconnect, usePreparedStatements } from '../../kit/server/db.ts'
import { tellOfDeleted } from '../../testerLists/server/deletedAccounts.ts'
import type { Env } from './env.ts'
import { bankMinimum, closeSandboxFile, connectStripe, useSandboxFile } from '../../ledger/server/ledger.ts'
import { type AnyJob, startJobs, stopJobs } from '../../kit/server/jobs.ts'
import { sizeOf } from '../../kit/server/connections.ts'
import { watchReplicas } from '../../kit/server/replicas.ts'
import { noteDowntime } from '../../kit/server/heartbeat.ts'
import { useGuard } from '../../kit/server/guard.ts'
import { migrate, migrationFolder } from '../../kit/server/migrate.ts'
import { ownerUrlOf } from './database.ts'
import { settleProductRole, useProductRole } from '../../kit/server/roles.ts'
import { readMigrations } from '../../kit/server/migrationFiles.ts'
import { announceRelease, isOutdated } from '../../kit/server/releases.ts'
import { allJobs } from './routes.ts'
import { during, jobLimits, workOf } from '../../kit/server/limits.ts'
import { watchSessions } from '../../kit/server/endedSessions.ts'
import { assertKeyIsStillTheOne, useSecrets } from './secrets.ts'
import { followClock, restoreClock } from './testClock.ts'
import { stripeSettings } from './stripeSettings.ts'
import { startTracing } from '../../kit/server/tracing.ts'

export type BackendOptions = {
  /** For the role that owns and migrates the tables. By default it comes from the environment, or else is `url`. */
  ownerUrl?: string
  onError: (error: unknown, where: string) => void
  /** Called with the reason when a start takes longer. */
  say?: (line: string) => void
  /** Called when a release has changed the schema beyond what this server understands, which then has to stop. */
  onOutdated?: (why: string) => void
  /** False: jobs run only through `runDueJobs` (tests, demo). */
  work?: boolean
  /** If `DATA_DIR` is temporary (demo): the data folder with what has to outlive it, the secrets and the sandbox's file. */
  lastingIn?: string
}

/**
 * Starts everything behind the HTTP application. Resolves with the function that stops it; a start that fails leaves nothing
 * running.
 */
export const startBackend = async (env: Env, url: string, options: BackendOptions): Promise<() => Promise<void>> => {
  const started = new AsyncDisposableStack()
  try {
    await start(env, url, options, started)
  } catch (error) {
    // What fails while cleaning up must not hide why the start failed.
    await started.disposeAsync().catch((failure: unknown) => options.onError(failure, 'start'))
    throw error
  }
  return () => started.disposeAsync()
}

/** Gives `started` what stops each part; the parts are stopped in reverse order. */
const start = async (
  env: Env,
  url: string,
  {
    ownerUrl = ownerUrlOf(env) ?? url,
    onError,
    say = () => undefined,
    onOutdated = () => undefined,
    work = true,
    lastingIn = env.DATA_DIR,
  }: BackendOptions,
  started: AsyncDisposableStack,
): Promise<void> => {
  const directUrl = env.DATABASE_DIRECT_URL ?? url
  started.defer(await traced(env))
  await migrate(ownerUrl, { say })
  const { release } = await readMigrations(migrationFolder)
  // Without a separate address for PostgreSQL itself, there is no pooler that shares sessions (poolers.ts).
  const keepsSession = env.DATABASE_DIRECT_URL === undefined
  usePreparedStatements(env.PREPARED_STATEMENTS, keepsSession)
  const secrets = { ...env, DATA_DIR: lastingIn }
  // Before a role is made: the key shows whether the database is another installation's.
  await asOwner(ownerUrl, () => useSecrets(secrets, say))
  const role = await settleProductRole({ url, ownerUrl, keepsSession, release })
  if (role.way === 'NONE') say(role.why)
  useProductRole(role)
  started.defer(disconnect)
  connect({
    url,
    ownerUrl,
    workAs: role.way === 'SET_ROLE' ? role.name : undefined,
    onError: error => onError(error, 'database'),
    poolSizes: env.POOL_SIZES,
  })
  started.defer(watchReplicas(env.DATABASE_REPLICA_URLS, sizeOf('reads', env.POOL_SIZES)))
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  useSecondFactors({ publicUrl, adminsNeedFactor: env.production })
  useGuard(secondFactorGuard)
  useCosts(costsOfLeaving)
  useOpened(tellOfOpened)
  useReported(gravelyReported)
  useExamined(isGravelyReported)
  useBankMinimum(bankMinimum)
  useDeleted(tellOfDeleted)
  useSettled(settledNotices, settledRetests)
  if (env.FIELDTEST_TEST_CLOCK) {
    await restoreClock()
    started.defer(followClock(error => onError(error, 'test clock')))
  }
  started.defer(closeMail)
  useMail({
    smtpUrl: env.SMTP_URL,
    from: env.MAIL_FROM,
    publicUrl,
    folder: join(env.DATA_DIR, 'mail'),
  })
  started.defer(stopImageWorker)
  await assertWritable(env.STORAGE_URL)
  await useStorage({ url: env.STORAGE_URL, dataDir: env.DATA_DIR, minFreeMb: env.MIN_FREE_DISK_MB })
  started.defer(() => connectStripe(undefined))
  await connectStripe(stripeSettings(env, publicUrl))
  started.defer(closeSandboxFile)
  await useSandboxFile({ path: env.SANDBOX_FILE, dataDir: lastingIn })
  if (work) await noteDowntime()
  const stopWatching = await watchSessions(
    directUrl,
    error => {
      onError(error, 'sessions')
      if (isOutdated(error)) onOutdated(error.message)
    },
    connection => announceRelease(connection, release),
  )
  started.defer(stopWatching)
  await assertKeyIsStillTheOne(secrets)
  // A job must not run at an outdated time if the signal is late.
  const runs = work && env.FIELDTEST_TEST_CLOCK ? allJobs.map(withClock) : allJobs
  started.defer(stopJobs)
  await startJobs(runs.map(withJobLimits), { work, onError: (error, job) => onError(error, job ?? 'jobs') })
}

const asOwner = async (url: string, work: () => Promise<void>): Promise<void> => {
  connect({ url, max: 1 })
  try {
    await work()
  } finally {
    await disconnect()
  }
}

const withClock = (job: AnyJob): AnyJob => ({
  ...job,
  run: async (input, once) => {
    await restoreClock()
    await job.run(input, once)
  },
})
/** Loads nothing unless a collector is configured. */
const traced = ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER_ARG }: Env) =>
  endpoint === undefined
    ? async () => undefined
    : startTracing({ endpoint, service: OTEL_SERVICE_NAME, share: OTEL_TRACES_SAMPLER_ARG })

const withJobLimits = (job: AnyJob): AnyJob => ({
  ...job,
  run: (input, once) => during(workOf('jobs', jobLimits), () => job.run(input, once)),
})
