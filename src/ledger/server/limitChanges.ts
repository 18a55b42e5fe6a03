/** Tells the other admins when one of them wants to raise the payout limit or turn it off (decision 062). */
import { adminIds } from '../../accounts/server/accounts.ts'
import { transact } from '../../kit/server/db.ts'
import type { Job } from '../../kit/server/jobs.ts'
import { notice, notifyMany } from '../../notifications/server/notifications.ts'
import { waitingLimitChange } from '../../settings/server/settings.ts'

export const tellOfLimitChange: Job<{ id: string }> = {
  name: 'ledger.tell-of-limit-change',
  expireMinutes: 5,
  neverPaused: true,
  run: ({ id }) =>
    transact(async tx => {
      const change = await waitingLimitChange(tx, id)
      if (!change) return
      const { fromCents, toCents, proposerId, proposerName: proposedBy } = change
      const others = (await adminIds(tx)).filter(each => each !== proposerId)
      const facts = { changeId: id, fromCents, toCents, proposedBy }
      await notifyMany(
        tx,
        others.map(each => notice(each, 'LIMIT_TO_CONFIRM', facts)),
      )
    }),
}
