/** The steps of every action on a participation. */
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import type { Outcome } from '../../ledger/server/ledger.ts'
import type { CampaignTester, ParticipationAction } from '../contract.ts'
import type { DecidedProof } from '../inputs.ts'
import { assertProofStands, refusal, withoutSeat } from '../rules.ts'
import { isOnBench } from './bench.queries.ts'
import { get } from './participations.ts'
import * as queries from './queries.ts'

/** A bench entry is visible but no test yet: an action that needs a seat is refused because of its state (decision 008). */
export const orWithoutSeat = async <T>(
  { user, id, action }: Pick<Asking, 'user' | 'id' | 'action'>,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    // The same call leaves a bench.
    const isMissing = error instanceof DomainError && error.code === 'NOT_FOUND' && action !== 'leave'
    throw isMissing && (await isOnBench(autocommit, user, id)) ? withoutSeat(action) : error
  }
}

type Write = (tx: Tx, row: queries.ParticipationRow, now: string) => Promise<unknown>

/** Who calls, and with what. `asked` is the body, by which a key that is reused for another request is recognized. */
export type Asking = DecidedProof & {
  user: SignedIn
  id: string
  action: ParticipationAction
  key: string | null
  asked?: unknown
}

/** An action that moves no money: loads and locks, applies the rule, writes. */
export const act = (
  { user, id, action, key, asked, proofSubmittedAt }: Asking,
  write: Write,
  lock = queries.lockParticipationFor,
): Promise<CampaignTester> =>
  orWithoutSeat({ user, id, action }, () =>
    transactOnce({
      userId: user.id,
      key,
      call: action,
      asked: { id, asked, proofSubmittedAt },
      subjectId: id,
      load: tx => lock(tx, user, id),
      effect: async (tx, row) => {
        const now = clock.now()
        const refused = refusal(action, row, now, user.role)
        if (refused) throw refused
        assertProofStands(row.proofSubmittedAt, proofSubmittedAt)
        await write(tx, row, now)
      },
      answer: (participationId, tx) => get(user, participationId, tx),
      answeredWithCommit: true,
    }),
  )

/** An action on the opt-in run. It may move the campaign's end or close the test, so it locks the campaign exclusively. */
export const actOnRun = (asking: Asking, write: Write): Promise<CampaignTester> =>
  act(asking, write, queries.lockParticipationAndCampaign)

type MoneyAction = Asking & {
  /** Notifications and the audit entry, written first so that no money row is locked meanwhile. */
  before: (tx: Tx, row: queries.ParticipationRow) => Promise<unknown>
  move: (tx: Tx, row: queries.ParticipationRow) => Promise<Outcome>
}

/** An action that moves money: first the rule, then one SQL function that enforces it under lock. */
export const actWithMoney = ({
  user,
  id,
  action,
  key,
  asked,
  proofSubmittedAt,
  before,
  move,
}: MoneyAction): Promise<CampaignTester> =>
  orWithoutSeat({ user, id, action }, () =>
    transactOnce({
      userId: user.id,
      key,
      call: action,
      asked: { id, asked, proofSubmittedAt },
      subjectId: id,
      load: tx => queries.participationFor(tx, user, id),
      effect: async (tx, row) => {
        const refused = refusal(action, row, clock.now(), user.role)
        if (refused) throw refused
        const [, outcome, after] = await Promise.all([
          before(tx, row),
          move(tx, row),
          // The function has locked the row.
          proofSubmittedAt === undefined ? row : queries.participationFor(tx, user, id),
        ])
        if (outcome === 'OK') return assertProofStands(after.proofSubmittedAt, proofSubmittedAt)
        // The test has changed meanwhile: now the rule sees what the function saw.
        throw (
          refusal(action, await queries.participationFor(tx, user, id), clock.now(), user.role) ??
          new Error(`${action} ${id} was refused`)
        )
      },
      answer: (participationId, tx) => get(user, participationId, tx),
      answeredWithCommit: true,
    }),
  )
