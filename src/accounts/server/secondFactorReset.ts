/** `npm run admin -- reset-second-factor EMAIL`, on the server, for users who have lost every factor. */
import { notFound } from '../../kit/errors.ts'
import { transact } from '../../kit/server/db.ts'
import { auditServerCommand } from '../../audit/server/audit.ts'
import { endSessions } from './accounts.ts'
import { lockUser, userByEmail } from './queries.ts'
import { deleteFactors, hasFactor } from './secondFactor.queries.ts'
import { warn } from './securityEmails.ts'

/** Returns false if the user had none. Ends all of the user's sessions, is audited, and is reported to the user by email. */
export const resetSecondFactor = (email: string): Promise<boolean> =>
  transact(async tx => {
    const found = await userByEmail(tx, email)
    if (!found) throw notFound('User')
    await lockUser(tx, found.id)
    const had = await hasFactor(tx, found.id)
    await deleteFactors(tx, found.id)
    if (!had) return false
    await endSessions(tx, { userId: found.id, reason: 'ENDED_BY_USER' })
    await auditServerCommand(tx, { action: 'user.reset-second-factor', subjectType: 'user', subjectId: found.id })
    await warn(tx, found.id, 'SECOND_FACTOR_RESET', {})
    return true
  })
