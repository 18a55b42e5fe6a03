/** The steps of every action on a campaign that moves no money, or only a draft's surplus. */
import type { SignedIn } from '../../kit/endpoint.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import type { Campaign, CampaignAction } from '../contract.ts'
import { assertCan } from '../rules.ts'
import * as queries from './queries.ts'
import { situationOf, toCampaign, viewerOf } from './toCampaign.ts'

/** Load and lock, rule, write. */
export const act = (
  user: SignedIn,
  id: string,
  action: CampaignAction,
  write: (tx: Tx, row: queries.CampaignRow) => Promise<unknown>,
  /** Locks that must be taken before the campaign's, in the order that a suspension takes them. */
  lockFirst: (tx: Tx) => Promise<unknown> = async () => undefined,
): Promise<Campaign> =>
  transact(async tx => {
    await lockFirst(tx)
    const row = await queries.lockCampaignFor(tx, user, id)
    assertCan(action, viewerOf(user, row), situationOf(row))
    await write(tx, row)
    return toCampaign(user, await queries.campaignFor(tx, user, id))
  })
