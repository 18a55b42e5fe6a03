/** Limits how many accounts one network can request in an hour, refused requests included. */
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { countCall, uncountCall } from '../../kit/server/hourlyCalls.ts'
import { networkOf } from '../../kit/server/network.ts'
import { tooManyRegistrations } from '../rules.ts'

/** Runs `work` unless the network has used up its `perHour` (null: no limit), and then throws TOO_MANY_REQUESTS. */
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
    // A caller who was told to try again in a moment has not used up anything.
    if (error instanceof DomainError && error.code === 'UNAVAILABLE') await uncountCall(autocommit, registration)
    throw error
  }
}
