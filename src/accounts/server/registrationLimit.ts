/** Limits how many accounts one network asks for in an hour, those that are refused included. */
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { countCall, uncountCall } from '../../kit/server/hourlyCalls.ts'
import { networkOf } from '../../kit/server/network.ts'
import { tooManyRegistrations } from '../rules.ts'

/** Registers with `work` unless the network has had its `perHour` (null: no limit): then throws TOO_MANY_REQUESTS. */
export const limitRegistrations = async <T>(ip: string, perHour: number | null, work: () => Promise<T>): Promise<T> => {
  if (perHour === null) return work()
  const registration = { kind: 'REGISTRATION', caller: networkOf(ip) }
  await transact(async tx => {
    const { calls, secondsLeft } = await countCall(tx, registration)
    if (calls > perHour) throw tooManyRegistrations(secondsLeft)
  })
  try {
    return await work()
  } catch (error) {
    // Who is asked to try again in a moment has not had their turn.
    if (error instanceof DomainError && error.code === 'UNAVAILABLE') await uncountCall(autocommit, registration)
    throw error
  }
}
