/** Limits how many accounts one network asks for in an hour, those that are refused included. */
import { clock, hoursAfter, hoursBetween } from '../../kit/clock.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { networkOf } from '../../kit/server/network.ts'
import { tooManyRegistrations } from '../rules.ts'
import * as queries from './registrationLimit.queries.ts'

/** Registers with `work` unless the network has had its `perHour` (null: no limit): then throws TOO_MANY_REQUESTS. */
export const limitRegistrations = async <T>(ip: string, perHour: number | null, work: () => Promise<T>): Promise<T> => {
  if (perHour === null) return work()
  const network = networkOf(ip)
  const now = clock.now()
  await transact(async tx => {
    const { registrations, windowStart } = await queries.count(tx, { network, now, since: hoursAfter(now, -1) })
    if (registrations > perHour) throw tooManyRegistrations(hoursBetween(now, hoursAfter(windowStart, 1)) * 3600)
  })
  try {
    return await work()
  } catch (error) {
    // Who is asked to try again in a moment has not had their turn.
    if (error instanceof DomainError && error.code === 'UNAVAILABLE') await queries.uncount(autocommit, network)
    throw error
  }
}
