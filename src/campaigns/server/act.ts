/** The steps of every action on a campaign that moves no money, or only a draft's surplus. */
import type { SignedIn } from '../../kit/endpoint.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import type { Campaign, CampaignAction } from '../contract.ts'
import { assertCan } from '../rules.ts'
import * as queries from './queries.ts'
import { situationOf, toCampaign, viewerOf } from './toCampaign.ts'

/** Loads and locks the campaign, applies the rule, writes. */
export const act = (
  user: SignedIn,
  id: string,
  action: CampaignAction,
  write: (tx: Tx, row: queries.CampaignRow) => Promise<unknown>,
  /** Takes locks that must come before the campaign's, in the order in which a suspension takes them. */
  lockFirst: (tx: Tx) => Promise<unknown> = async () => undefined,
): Promise<Campaign> =>
  transact(async tx => {
    await lockFirst(tx)
    const row = await queries.lockCampaignFor(tx, user, id)
    assertCan(action, viewerOf(user, row), situationOf(row))
    await write(tx, row)
    return toCampaign(user, await queries.campaignFor(tx, user, id))
  })
