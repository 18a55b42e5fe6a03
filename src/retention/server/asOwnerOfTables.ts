import { during, jobLimits, workOf } from '../../kit/server/limits.ts'

/** Only the owner of a table may create its partitions and detach them (decision 052). */
export const asOwnerOfTables = (work: () => Promise<void>) => (): Promise<void> =>
  during(workOf('owner', jobLimits), work)
