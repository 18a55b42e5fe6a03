/** The steps of every action on a participation. */
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import type { Outcome } from '../../ledger/server/ledger.ts'
import type { CampaignTester, ParticipationAction } from '../contract.ts'
import { refusal } from '../rules.ts'
import { get } from './participations.ts'
import * as queries from './queries.ts'

type Write = (tx: Tx, row: queries.ParticipationRow, now: string) => Promise<unknown>

/** An action that moves no money: load and lock, rule, write. */
export const act = async (
  user: SignedIn,
  id: string,
  action: ParticipationAction,
  write: Write,
  lock = queries.lockParticipationFor,
): Promise<CampaignTester> => {
  await transact(async tx => {
    const row = await lock(tx, user, id)
    const now = clock.now()
    const refused = refusal(action, row, now)
    if (refused) throw refused
    await write(tx, row, now)
  })
  return get(user, id)
}

/** An action on the run: it may move the campaign's end or close the test, so the campaign is held against all others. */
export const actOnRun = (
  user: SignedIn,
  id: string,
  action: ParticipationAction,
  write: Write,
): Promise<CampaignTester> => act(user, id, action, write, queries.lockParticipationAndCampaign)

type MoneyAction = {
  user: SignedIn
  id: string
  action: ParticipationAction
  key: string | null
  asked?: unknown
  /** Notifications and the audit entry, before money rows are locked. */
  before: (tx: Tx, row: queries.ParticipationRow) => Promise<unknown>
  move: (tx: Tx, row: queries.ParticipationRow) => Promise<Outcome>
}

/** An action that moves money: the rule first, then one SQL function that enforces it under lock. */
export const actWithMoney = ({ user, id, action, key, asked, before, move }: MoneyAction): Promise<CampaignTester> =>
  transactOnce({
    userId: user.id,
    key,
    call: action,
    asked: { id, asked },
    subjectId: id,
    effect: async tx => {
      const row = await queries.participationFor(tx, user, id)
      const refused = refusal(action, row, clock.now())
      if (refused) throw refused
      await before(tx, row)
      if ((await move(tx, row)) === 'OK') return
      // It has changed meanwhile: the rule now sees what the function saw.
      throw (
        refusal(action, await queries.participationFor(tx, user, id), clock.now()) ??
        new Error(`${action} ${id} was refused`)
      )
    },
    answer: participationId => get(user, participationId),
  })
