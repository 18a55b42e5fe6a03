/** Use cases of the landing page: joining the waitlist, and listing it for admins. */
import { randomUUIDv7 } from 'node:crypto'
import { clock } from '../../kit/clock.ts'
import type { Caller, NumberedPage } from '../../kit/endpoint.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { countCall } from '../../kit/server/hourlyCalls.ts'
import { networkOf } from '../../kit/server/network.ts'
import { numberedPageOf } from '../../kit/server/numberedLists.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import type { WaitlistEntry, WaitlistQuery, WaitlistSignUp } from '../contract.ts'
import { tooManySignUps, waitlistLimit } from '../rules.ts'
import * as queries from './queries.ts'

export const joinWaitlist = async (
  signUp: WaitlistSignUp,
  { ip }: Caller,
  { limited }: { limited: boolean },
): Promise<WaitlistSignUp> => {
  await transact(async tx => {
    if (limited) {
      const { calls, secondsLeft } = await countCall(tx, { kind: 'WAITLIST', caller: networkOf(ip) })
      if (calls > waitlistLimit.perHour) throw tooManySignUps(secondsLeft)
    }
    await queries.putEntry(tx, { ...signUp, id: randomUUIDv7(), now: clock.now() })
  })
  return signUp
}

/** The fee that a campaign created now would pay on top of its testers' pay. */
export const pricing = async () => ({ feeBasisPoints: (await currentSettings(autocommit)).feeBasisPoints })

export const listWaitlist = async ({
  page,
  limit,
  cursor,
  ...filters
}: WaitlistQuery): Promise<NumberedPage<WaitlistEntry>> =>
  numberedPageOf(autocommit, { page, limit, cursor }, await queries.waitlist(autocommit, filters))
