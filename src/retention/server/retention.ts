/** What is kept for a while only, and belongs to no slice alone (decision 050). */
import { autocommit } from '../../kit/server/db.ts'
import { keepFinishedJobs, scheduled } from '../../kit/server/jobs.ts'
import { currentSettings } from '../../settings/server/settings.ts'

/** Tells the queues, every night, how long they remember finished jobs. */
export const keepJobsAsSet = scheduled(
  'retention.jobs',
  '37 2 * * *',
  async () => keepFinishedJobs((await currentSettings(autocommit)).jobDays),
  { neverPaused: true },
)
