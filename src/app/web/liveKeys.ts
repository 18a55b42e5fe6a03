/** Which loaded data each event makes stale. Imports only types, because the keys' modules belong to screens. */
import type { activityKeys } from '../../activity/web/keys.ts'
import type { auditKeys } from '../../audit/web/keys.ts'
import type { bugKeys } from '../../bugs/web/keys.ts'
import type { campaignKeys } from '../../campaigns/web/keys.ts'
import type { dashboardKeys } from '../../dashboards/web/keys.ts'
import type { Topic } from '../../events/terms.ts'
import type { feedbackKeys } from '../../feedback/web/keys.ts'
import type { fraudKeys } from '../../fraud/web/keys.ts'
import type { ledgerKeys } from '../../ledger/web/keys.ts'
import type { ndaKeys } from '../../nda/web/keys.ts'
import type { notificationKeys } from '../../notifications/web/keys.ts'
import type { operationsKeys } from '../../operations/web/keys.ts'
import type { participationKeys } from '../../participations/web/keys.ts'
import type { settingsKeys } from '../../settings/web/keys.ts'

type Slice = (
  | typeof activityKeys
  | typeof auditKeys
  | typeof bugKeys
  | typeof campaignKeys
  | typeof dashboardKeys
  | typeof feedbackKeys
  | typeof fraudKeys
  | typeof ledgerKeys
  | typeof ndaKeys
  | typeof notificationKeys
  | typeof operationsKeys
  | typeof participationKeys
  | typeof settingsKeys
)['all'][0]

/** The slices that follow these become stale with them (follows.ts). */
export const liveKeys: Record<Topic, readonly (readonly [Slice])[]> = {
  CAMPAIGN: [['campaigns'], ['feedback'], ['dashboards']],
  TEST: [['participations'], ['nda'], ['activity'], ['dashboards']],
  BUG: [['bugs'], ['dashboards']],
  MONEY: [['ledger'], ['dashboards']],
  NOTICES: [['notifications'], ['dashboards']],
  QUEUE: [['campaigns'], ['ledger'], ['settings'], ['fraud'], ['operations'], ['audit'], ['dashboards']],
}
