/**
 * Tester lists: who is to be on the developer's list in Play Console, or in the Google Group, and what has changed since the
 * last export that the developer confirmed.
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
  /** The address is erased, so no export can name it: the whole list leaves it out. */
  erased: z.boolean(),
  /** As the owner confirmed. Who was exported only is to be removed too, in case it was done. */
  listed: z.boolean(),
  /** What Google Play showed when the tester reported, since the last confirmation, that it does not let them in. */
  notLetIn: z.enum(accessProblems).nullable(),
})
export type ListEntry = z.output<typeof Entry>

const Unnamed = z.object({
  aliases: z.array(z.string()),
  /** What taking all of them off the list now would do: "the date moves from Dec 3 to Dec 9". Null without a date. */
  cost: z.string().nullable(),
})

/** No address: those are in the exports and nowhere else. */
export const TesterList = z.object({
  accessMode: AccessMode,
  /** NOTHING_TO_DO, TO_EXPORT, EXPORTED but not confirmed, or CHANGED since that export. */
  state: z.enum(listStates),
  additions: z.array(Entry),
  removals: z.array(Entry),
  /** Deleted their accounts, and count for the date as long as they stay: no export can name them, and none is to be removed. */
  unnamed: Unnamed,
  /** Those of them whom confirming the last export takes off the list: it was the whole list, which leaves them out. */
  leftOut: Unnamed,
  /** How many belong on the list, those to be added and those without an address included. */
  testers: z.int(),
  /** How many more will, once they have accepted the campaign's NDA. */
  ndaAwaited: z.int(),
  /** The last export, and when it was confirmed. */
  exportedAt: Instant.nullable(),
  confirmedAt: Instant.nullable(),
  /** How many that export says to add and to remove; 0 without one. */
  added: z.int(),
  removed: z.int(),
  /** How many of those added still wait to get in: they are told when that export is confirmed. */
  toTell: z.int(),
  /** When the owner applied for production access. */
  appliedAt: Instant.nullable(),
  /** Offered once somebody is opted in or verified. */
  mayApply: z.boolean(),
  /** When the addresses of this campaign were erased, after its end. */
  erasedAt: Instant.nullable(),
})
export type TesterList = z.output<typeof TesterList>

export const Confirmation = z.object({
  /** Of the export that is meant; without it, whichever was the last. */
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
      'What is to be added to and removed from the list in Play Console since the last confirmed export, by alias, and who counts as long as they stay on it, though no export can name them. 409 without a list.',
    reply: TesterList,
  },
  export: {
    ...ofOwn,
    method: 'POST',
    path: '/campaigns/:id/tester-list/export',
    summary:
      'The addresses as a file: what changed since the last confirmed export as `email,change`, or with `form=play` the whole list, an address a line. Audited.',
    query: z.object({ form: filter(exportForms, 'The form must be changes or play') }),
    file: ['text/csv'],
    errors: ['WRONG_STATE', 'TOO_MANY_REQUESTS'],
  },
  confirm: {
    ...ofOwn,
    method: 'POST',
    path: '/campaigns/:id/tester-list/confirm',
    summary:
      'The last export is on the list: its testers are told, and those whom it takes off the list are opted in no longer. 409 without an export, when it is confirmed, or when it is not the one of `exportedAt`.',
    body: Confirmation.nullish(),
    reply: TesterList,
  },
  applied: {
    ...ofOwn,
    method: 'POST',
    path: '/campaigns/:id/applied',
    summary:
      'The owner has applied for production access: verified testers may opt out. Said again, it changes nothing. 409 before the start.',
    reply: TesterList,
  },
})
