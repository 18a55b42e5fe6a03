import { during, jobLimits, workOf } from '../../kit/server/limits.ts'

/** Only the owner of a table may make its partitions and take them off (decision 052). */
export const asOwnerOfTables = (work: () => Promise<void>) => (): Promise<void> =>
  during(workOf('owner', jobLimits), work)
