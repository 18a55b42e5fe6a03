/**
 * Tester lists: who should be on the developer's list in Play Console or in the Google Group, and what has changed since the last
 * export that the developer confirmed.
 */
import { z } from 'zod'
import { AccessMode } from '../campaigns/contract.ts'
import { endpoints } from '../kit/endpoint.ts'
import { ById, filter, Id, Instant } from '../kit/schemas.ts'
import { accessProblems } from '../participations/terms.ts'
import { exportForms, listStates } from './terms.ts'

const Entry = z.object({
  id: Id,
  alias: z.string(),
  /** The address is erased, so exports can no longer name it, and the whole list leaves it out. */
  erased: z.boolean(),
  /**
   * The owner confirmed that the tester is on the list. A tester who was only exported has to be removed too, in case they were
   * added.
   */
  listed: z.boolean(),
  /** What Google Play showed when the tester reported, after the last confirmation, that they could not get in. */
  notLetIn: z.enum(accessProblems).nullable(),
})
export type ListEntry = z.output<typeof Entry>

const Unnamed = z.object({
  aliases: z.array(z.string()),
  /**
   * What would happen if all of them were taken off the list now: "the date moves from Dec 3 to Dec 9". Null if there is no date.
   */
  cost: z.string().nullable(),
})

/** Contains no addresses: they appear only in the exports. */
export const TesterList = z.object({
  accessMode: AccessMode,
  /** NOTHING_TO_DO; TO_EXPORT; EXPORTED, but not confirmed; CHANGED since that export. */
  state: z.enum(listStates),
  additions: z.array(Entry),
  removals: z.array(Entry),
  /**
   * Testers who deleted their accounts but count for the date while they stay on the list. Exports cannot name them, and none
   * should be removed.
   */
  unnamed: Unnamed,
  /**
   * Those of them who come off the list when the last export is confirmed, because it was the whole list, which leaves them out.
   */
  leftOut: Unnamed,
  /** How many belong on the list, including those still to be added and those whose address is erased. */
  testers: z.int(),
  /** How many more will belong once they have accepted the campaign's NDA. */
  ndaAwaited: z.int(),
  /** When the last export was made, and when it was confirmed. */
  exportedAt: Instant.nullable(),
  confirmedAt: Instant.nullable(),
  /** How many that export adds and removes; 0 without an export. */
  added: z.int(),
  removed: z.int(),
  /** How many of those added still wait to get in, and are told when the export is confirmed. */
  toTell: z.int(),
  /** When the owner applied for production access. */
  appliedAt: Instant.nullable(),
  /** True once somebody is opted in or verified. */
  mayApply: z.boolean(),
  /** When the addresses of this campaign were erased, after its end. */
  erasedAt: Instant.nullable(),
})
export type TesterList = z.output<typeof TesterList>

export const Confirmation = z.object({
  /** Which export is meant; by default the last one. */
  exportedAt: Instant.optional(),
})
export type Confirmation = z.output<typeof Confirmation>

const ofOwn = { access: 'DEVELOPER', params: ById, errors: ['WRONG_STATE'] } as const

export const testerListApi = endpoints({
  get: {
    ...ofOwn,
    method: 'GET',
    path: '/campaigns/:id/tester-list',
    summary:
      'What to add to and remove from the list in Play Console since the last confirmed export, by alias, and who counts as long as they stay on it although no export can contain them. 409 without a list.',
    reply: TesterList,
  },
  export: {
    ...ofOwn,
    method: 'POST',
    path: '/campaigns/:id/tester-list/export',
    summary:
      'The addresses as a file: the changes since the last confirmed export as `email,change` or, with `form=play`, the whole list with one address per line. Recorded in the audit log.',
    query: z.object({ form: filter(exportForms, 'The form must be changes or play') }),
    file: ['text/csv'],
    errors: ['WRONG_STATE', 'TOO_MANY_REQUESTS'],
  },
  confirm: {
    ...ofOwn,
    method: 'POST',
    path: '/campaigns/:id/tester-list/confirm',
    summary:
      'Confirm that the list matches the last export. The testers added are notified, and those removed are no longer opted in. 409 without an export, if it is already confirmed, or if it is not the one of `exportedAt`.',
    body: Confirmation.nullish(),
    reply: TesterList,
  },
  applied: {
    ...ofOwn,
    method: 'POST',
    path: '/campaigns/:id/applied',
    summary:
      'Record that the owner has applied for production access, so that verified testers may opt out. Repeating it changes nothing. 409 before the start.',
    reply: TesterList,
  },
})
