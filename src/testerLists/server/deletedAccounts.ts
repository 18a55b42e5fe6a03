/** Tells owners about testers who deleted the account but count while they stay on the list, which can no longer name them. */
import { costOfLeavingIn } from '../../continuity/server/continuity.ts'
import { clock } from '../../kit/clock.ts'
import type { Tx } from '../../kit/server/db.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { aliasOf } from '../../participations/rules.ts'
import { belongs } from '../rules.ts'
import * as queries from './queries.ts'

export const tellOfDeleted = async (tx: Tx, userId: string): Promise<void> => {
  const now = clock.now()
  for (const { campaign, contested, ...test } of await queries.lastingTestsOf(tx, userId)) {
    if (!belongs({ ...test, erased: false }, campaign, now)) continue
    const costOf = await costOfLeavingIn(tx, campaign, now)
    await notify(tx, campaign.developerId, 'TESTER_DELETED_OWNER', {
      campaignId: campaign.id,
      testId: test.id,
      title: campaign.title,
      alias: aliasOf(test.ordinal),
      inGroup: campaign.accessMode === 'GOOGLE_GROUP',
      contested,
      cost: costOf([test.id]),
    })
  }
}
