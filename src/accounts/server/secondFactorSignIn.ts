/** The second step of signing in, and the step-up. */
import { clock } from '../../kit/clock.ts'
import type { Caller, SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import type { Session } from '../contract.ts'
import { suspended } from '../rules.ts'
import type { FactorAnswer } from '../secondFactorContract.ts'
import { enter } from './accounts.ts'
import { redeem } from './factorAnswers.ts'
import { setProved } from './secondFactor.queries.ts'

/** Returns the same as signing in without a factor. The proof also counts as a step-up. */
export const finishSignIn = (answer: FactorAnswer, caller: Caller): Promise<Session> =>
  redeem({ answer, purpose: 'SIGN_IN', sessionId: null }, (tx, { user, device }) => {
    if (user.suspensionReason !== null) throw suspended(user.suspensionReason)
    return enter(tx, user, { ...caller, device: device ?? undefined, secondFactorAt: clock.now() })
  })

export const stepUp = (user: SignedIn, answer: FactorAnswer): Promise<void> =>
  redeem({ answer, purpose: 'STEP_UP', sessionId: user.sessionId }, async tx => {
    if (await setProved(tx, user.sessionId, clock.now())) return
    throw new DomainError('UNAUTHENTICATED', 'Your session has ended. Sign in again.')
  })
