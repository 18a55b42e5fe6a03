/** What calls require of the caller's second factor: that an admin in production has one, and a step-up (product.md §5). */
import { clock, hoursBetween } from '../../kit/clock.ts'
import type { Endpoint, SignedIn } from '../../kit/endpoint.ts'
import { autocommit } from '../../kit/server/db.ts'
import type { Guard } from '../../kit/server/guard.ts'
import { factorLimits, setupRequired, stepUpRequired } from '../secondFactorRules.ts'
import { stepUpRequestOf } from './factorChallenges.ts'
import { adminsNeedFactor } from './relyingParty.ts'
import { standingOf } from './secondFactor.queries.ts'

const isFresh = (provedAt: string | null) =>
  provedAt !== null && hoursBetween(provedAt, clock.now()) * 60 < factorLimits.stepUpMinutes

const needsFactor = ({ beforeSecondFactor }: Endpoint, user: SignedIn) =>
  user.role === 'ADMIN' && adminsNeedFactor() && !beforeSecondFactor

export const secondFactorGuard: Guard = {
  concerns: (endpoint, user) => endpoint.stepUp === true || needsFactor(endpoint, user),
  assertMayPass: async (endpoint, user) => {
    const { inForce, provedAt } = await standingOf(autocommit, user.id, user.sessionId)
    if (needsFactor(endpoint, user) && !inForce) throw setupRequired()
    if (!endpoint.stepUp || !inForce || isFresh(provedAt)) return
    const request = await stepUpRequestOf(user.id, user.sessionId)
    if (request) throw stepUpRequired(request)
  },
}
