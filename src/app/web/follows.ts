/**
 * Which slices' answers contain data of the slices below them, for `invalidate` of src/kit/web/query.ts: a slice that changes
 * something names itself and the slices below it, never those above. The dashboards are not listed: figures also count what other
 * people do, so they are loaded again on every visit.
 */
import type { activityKeys } from '../../activity/web/keys.ts'
import type { bugKeys } from '../../bugs/web/keys.ts'
import type { campaignKeys } from '../../campaigns/web/keys.ts'
import type { changeKeys } from '../../changes/web/keys.ts'
import type { continuityKeys } from '../../continuity/web/keys.ts'
import type { fraudKeys } from '../../fraud/web/keys.ts'
import type { ledgerKeys } from '../../ledger/web/keys.ts'
import type { participationKeys } from '../../participations/web/keys.ts'
import type { peopleKeys } from '../../people/web/keys.ts'
import type { testerListKeys } from '../../testerLists/web/keys.ts'
import type { ndaKeys } from '../../nda/web/keys.ts'
import type { reportKeys } from '../../reports/web/keys.ts'

type Keys =
  | typeof activityKeys
  | typeof bugKeys
  | typeof campaignKeys
  | typeof changeKeys
  | typeof continuityKeys
  | typeof fraudKeys
  | typeof ledgerKeys
  | typeof ndaKeys
  | typeof participationKeys
  | typeof peopleKeys
  | typeof testerListKeys
  | typeof reportKeys

type Slice = Keys['all'][0]

export const follows = {
  nda: ['campaigns'],
  participations: ['campaigns'],
  // A bug shows its campaign's title and its test's device.
  bugs: ['campaigns', 'participations'],
  // A change shows the results of retests.
  changes: ['bugs'],
  continuity: ['campaigns', 'participations'],
  'tester-lists': ['campaigns', 'participations'],
  reports: ['campaigns', 'participations', 'bugs', 'changes'],
  // A profile shows the user's campaigns, tests and transactions.
  people: ['ledger', 'campaigns', 'participations'],
  // A report shows whether its user is suspended.
  fraud: ['people'],
  activity: ['campaigns', 'participations'],
} as const satisfies Partial<Record<Slice, readonly Slice[]>>
