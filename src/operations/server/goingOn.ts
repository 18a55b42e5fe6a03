/** An admin records why withdrawals resume although the books were found to be wrong (decision 058). */
import { auditIfAdmin } from '../../audit/server/audit.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { transact } from '../../kit/server/db.ts'
import { acceptBreaches } from '../../ledger/server/ledger.ts'

type GoingOn = { breachIds: readonly string[]; reason: string }

export const letWithdrawalsGoOn = (admin: SignedIn, { breachIds, reason }: GoingOn): Promise<void> =>
  transact(async tx => {
    const accepted = await acceptBreaches(tx, { ids: breachIds, by: admin.id, reason })
    await auditIfAdmin(tx, admin, {
      action: 'withdrawals.go-on',
      subjectType: 'withdrawals',
      subjectId: accepted[0]!.id,
      facts: { reason, checks: accepted.map(({ check }) => check).join(', ') },
    })
  })
