/** Who has to accept an NDA, what waits until then, and who may refuse a changed one. Pure; shared by server and screens. */
import { DomainError } from '../kit/errors.ts'
import type { Instant } from '../kit/clock.ts'
import { ndaLimits } from './terms.ts'

/** Of one test; null where there is none. */
export type NdaSituation = {
  /** The version that the campaign asks for now. */
  ndaVersion: number | null
  /** The one that it asked for when the tester took the seat. */
  ndaJoined: number | null
  /** The newest one that the tester has accepted, and when they accepted the first. */
  ndaAccepted: number | null
  ndaAcceptedAt: Instant | null
  /** When the developer took back the one that joining had asked for, before the tester had accepted it. */
  ndaLiftedAt: Instant | null
}

/** Link, Google Group and tester list wait: the tester has never accepted an NDA that the campaign asks for. */
export const doorIsClosed = ({ ndaVersion, ndaAccepted }: Pick<NdaSituation, 'ndaVersion' | 'ndaAccepted'>): boolean =>
  ndaVersion !== null && ndaAccepted === null

/** Nothing of the test has begun. Who was inside before there was an NDA goes on without accepting it. */
export const hasNotBegun = ({ ndaJoined, ndaAccepted }: Pick<NdaSituation, 'ndaJoined' | 'ndaAccepted'>): boolean =>
  ndaJoined !== null && ndaAccepted === null

/** The present version waits for the tester. */
export const isAsked = ({ ndaVersion, ndaAccepted }: Pick<NdaSituation, 'ndaVersion' | 'ndaAccepted'>): boolean =>
  ndaVersion !== null && ndaVersion > (ndaAccepted ?? 0)

/** A version that came after the tester was inside: refusing it pays the days done, or the wait for the tester list. `refuse_nda` says the same in SQL. */
export const mayRefuse = (situation: NdaSituation): boolean => isAsked(situation) && !hasNotBegun(situation)

export const staleVersion = (): DomainError =>
  new DomainError('WRONG_STATE', 'The developer has changed this NDA. Read the new version before you accept it.')

export const campaignAsksForNone = (): DomainError =>
  new DomainError('WRONG_STATE', 'This campaign does not require an NDA.')

/** It has ended: nobody is asked for anything any more. */
export const campaignOver = (): DomainError =>
  new DomainError('WRONG_STATE', 'This campaign has ended, so its NDA can no longer be changed.')

export const tooManyVersions = (): DomainError =>
  new DomainError('LIMIT_REACHED', `This NDA has reached the limit of ${ndaLimits.versions} versions.`)

export const tooManyExports = 'You have exported the names many times within the hour. Try again later.'

/** One line for each space that our template leaves. */
export type TemplateNames = { developer: string; app: string }

/** Ours, filled with both names. The developer may change every word of it. */
export const templateOf = ({ developer, app }: TemplateNames): string =>
  `Non-disclosure agreement for testers of “${app}”

Between ${developer} (“the developer”) and the tester who accepts it.

1. What is confidential
Everything about “${app}” that is not public: the app itself, its features, screens, texts and code, the plans for it, and what the developer and the tester write to each other about it.

2. What the tester promises
The tester uses confidential information only to test the app. The tester does not pass it on, publish it, or show it to anyone else, keeps no copies after the test, and does not take the app apart or build another one from it.

3. What is not confidential
Information that is or becomes public through no fault of the tester, that the tester already knew or receives from someone entitled to share it, or that the law requires the tester to disclose. Where the law allows it, the tester tells the developer before such a disclosure.

4. Reports
Feedback, proofs and bug reports that the tester submits belong to this test. The developer may use them for the app.

5. How long it lasts
From acceptance until the information is public, but for no more than two years.

6. General
Accepting it does not make the tester an employee or a partner of the developer. If any part of this agreement is invalid, the rest remains in effect.`
