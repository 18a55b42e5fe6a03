/**
 * Who has to accept an NDA, what waits until then, and who may refuse a changed one. Pure; shared by the server and the screens.
 */
import { DomainError } from '../kit/errors.ts'
import type { Instant } from '../kit/clock.ts'
import { ndaLimits } from './terms.ts'

/** The NDA's state for one test; a version is null if there is none. */
export type NdaSituation = {
  /** The version that the campaign asks for now. */
  ndaVersion: number | null
  /** The version that it asked for when the tester joined. */
  ndaJoined: number | null
  /** The newest version that the tester has accepted, and when they first accepted one. */
  ndaAccepted: number | null
  ndaAcceptedAt: Instant | null
  /** When the developer withdrew the NDA required for joining, before the tester had accepted it. */
  ndaLiftedAt: Instant | null
}

/**
 * The tester has never accepted an NDA although the campaign asks for one, so the link, the Google Group and the tester list
 * wait.
 */
export const doorIsClosed = ({ ndaVersion, ndaAccepted }: Pick<NdaSituation, 'ndaVersion' | 'ndaAccepted'>): boolean =>
  ndaVersion !== null && ndaAccepted === null

/** Nothing of the test has begun. A tester who was inside before there was an NDA continues without accepting it. */
export const hasNotBegun = ({ ndaJoined, ndaAccepted }: Pick<NdaSituation, 'ndaJoined' | 'ndaAccepted'>): boolean =>
  ndaJoined !== null && ndaAccepted === null

/** The tester has yet to accept the present version. */
export const isAsked = ({ ndaVersion, ndaAccepted }: Pick<NdaSituation, 'ndaVersion' | 'ndaAccepted'>): boolean =>
  ndaVersion !== null && ndaVersion > (ndaAccepted ?? 0)

/**
 * The tester was inside before this version. If they refuse it, they are paid for the days done, or for the wait for the tester
 * list. `refuse_nda` has the same rule in SQL.
 */
export const mayRefuse = (situation: NdaSituation): boolean => isAsked(situation) && !hasNotBegun(situation)

export const staleVersion = (): DomainError =>
  new DomainError('WRONG_STATE', 'The developer has changed this NDA. Read the new version before you accept it.')

export const campaignAsksForNone = (): DomainError =>
  new DomainError('WRONG_STATE', 'This campaign does not require an NDA.')

/** The campaign has ended, so nobody is asked for anything any more. */
export const campaignOver = (): DomainError =>
  new DomainError('WRONG_STATE', 'This campaign has ended, so its NDA can no longer be changed.')

export const tooManyVersions = (): DomainError =>
  new DomainError('LIMIT_REACHED', `This NDA has reached the limit of ${ndaLimits.versions} versions.`)

export const tooManyExports = 'You have exported the names too many times in the last hour. Try again later.'

/** The names for the placeholders in our template. */
export type TemplateNames = { developer: string; app: string }

/** Our template with both names filled in. The developer may change every word. */
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
