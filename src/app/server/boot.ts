/** Starts and stops the parts of a server in order: migrations, clock, sessions, mail, jobs. */
import { join } from 'node:path'
import { stopImageWorker, useStorage } from '../../attachments/server/attachments.ts'
import { useSecondFactors } from '../../accounts/server/relyingParty.ts'
import { secondFactorGuard } from '../../accounts/server/secondFactorGuard.ts'
import { costsOfLeaving } from '../../continuity/server/leaving.ts'
import { gravelyReported } from '../../fraud/server/fraud.ts'
import { useCosts, useReported } from '../../participations/server/participations.ts'
import { settledNotices } from '../../participations/server/settledNotices.ts'
import { closeMail, useMail, useSettled } from '../../notifications/server/notifications.ts'
import { connect, disconnect, usePreparedStatements } from '../../kit/server/db.ts'
import { useEncryptionKeys } from '../../kit/server/encryption.ts'
import type { Env } from './env.ts'
import { type AnyJob, startJobs, stopJobs } from '../../kit/server/jobs.ts'
import { useGuard } from '../../kit/server/guard.ts'
import { useLinkSecret } from '../../kit/server/linkTokens.ts'
import { useCursorSecret } from '../../kit/server/numberedCursors.ts'
import { migrate } from '../../kit/server/migrate.ts'
import { allJobs } from './routes.ts'
import { during, jobLimits, workOf } from '../../kit/server/limits.ts'
import { encryptionKey, jwtSecret, keptSecret } from '../../kit/server/secret.ts'
import { watchSessions } from '../../kit/server/endedSessions.ts'
import { useJwtSecret } from '../../kit/server/session.ts'
import { restoreClock } from './testClock.ts'

export type BackendOptions = {
  onError: (error: unknown, where: string) => void
  /** Called with why a start takes longer. */
  say?: (line: string) => void
  /** False: jobs run only through `runDueJobs` (tests, demo). */
  work?: boolean
}

/** Starts everything behind the HTTP application. Resolves with the function that stops it. */
export const startBackend = async (
  env: Env,
  url: string,
  { onError, say = () => undefined, work = true }: BackendOptions,
): Promise<() => Promise<void>> => {
  const directUrl = env.DATABASE_DIRECT_URL ?? url
  await migrate(directUrl, { say })
  usePreparedStatements(env.PREPARED_STATEMENTS)
  connect({ url, onError: error => onError(error, 'database'), poolSizes: env.POOL_SIZES })
  const secret = env.JWT_SECRET ?? (await keptSecret(env.DATA_DIR, jwtSecret))
  useJwtSecret(secret, env.JWT_SECRET_PREVIOUS)
  useLinkSecret(secret)
  useCursorSecret(secret)
  useEncryptionKeys([
    env.ENCRYPTION_KEY ?? (await keptSecret(env.DATA_DIR, encryptionKey)),
    ...(env.ENCRYPTION_KEY_PREVIOUS ? [env.ENCRYPTION_KEY_PREVIOUS] : []),
  ])
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  useSecondFactors({ publicUrl, adminsNeedFactor: env.production })
  useGuard(secondFactorGuard)
  useCosts(costsOfLeaving)
  useReported(gravelyReported)
  useSettled(settledNotices)
  if (env.FIELDTEST_TEST_CLOCK) await restoreClock()
  useMail({
    smtpUrl: env.SMTP_URL,
    from: env.MAIL_FROM,
    publicUrl,
    folder: join(env.DATA_DIR, 'mail'),
  })
  await useStorage({ url: env.STORAGE_URL, dataDir: env.DATA_DIR, minFreeMb: env.MIN_FREE_DISK_MB })
  const stopWatching = await watchSessions(directUrl, error => onError(error, 'sessions'))
  await startJobs(allJobs.map(withJobLimits), { work, onError: (error, job) => onError(error, job ?? 'jobs') })
  return async () => {
    await stopJobs()
    stopImageWorker()
    await stopWatching()
    await closeMail()
    await disconnect()
  }
}

const withJobLimits = (job: AnyJob): AnyJob => ({
  ...job,
  run: input => during(workOf('jobs', jobLimits), () => job.run(input)),
})
