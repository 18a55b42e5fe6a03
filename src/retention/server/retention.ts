/** Data that is kept only for a while and belongs to no single slice (decision 050). */
import { autocommit } from '../../kit/server/db.ts'
import { keepFinishedJobs, scheduled } from '../../kit/server/jobs.ts'
import { currentSettings } from '../../settings/server/settings.ts'

/** Every night, sets in the queues how long finished jobs are kept. */
export const keepJobsAsSet = scheduled(
  'retention.jobs',
  '37 2 * * *',
  async () => keepFinishedJobs((await currentSettings(autocommit)).jobDays),
  { neverPaused: true },
)
