/** Bugs as a user may see them: testers by alias, and only the title and the state of other testers' bugs. */
import { bugFilesOf } from '../../attachments/server/attachments.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { aliasOf } from '../../participations/rules.ts'
import type { Bug, BugSummary, KnownBug, OriginalBug } from '../contract.ts'
import { allowedActions, type BugSituation, isOutside } from '../rules.ts'
import * as queries from './queries.ts'

export const situationOf = ({ number, status, comments, retest }: queries.BugRow): BugSituation => ({
  number,
  status,
  comments,
  retestAsked: retest !== null && retest.result === null && retest.withdrawnAt === null,
})

export const toKnown = (user: SignedIn, row: queries.KnownRow): KnownBug => ({
  ...row,
  mayOpen: user.role !== 'TESTER' || row.own,
})

const toOriginal = (user: SignedIn, { door }: queries.BugRow, original: queries.Original): OriginalBug => {
  const known = toKnown(user, { ...original, own: original.testerId === user.id })
  return { ...known, title: known.mayOpen || !isOutside(door) ? known.title : null }
}

export const toSummary = (user: SignedIn, row: queries.BugRow): BugSummary => {
  const { original } = row
  return {
    ...row,
    campaign: { id: row.campaignId, title: row.campaignTitle },
    own: row.testerId === user.id,
    alias: aliasOf(row.ordinal),
    device: {
      platform: row.devicePlatform,
      osVersion: row.deviceOsVersion,
      model: row.deviceModel,
      manufacturer: row.deviceManufacturer,
    },
    duplicateOf: original && toOriginal(user, row, original),
  }
}

/** Testers do not see each other's alias. */
const aliasIn = (user: SignedIn, { authorId, ordinal }: queries.EventRow) =>
  ordinal === null || (user.role === 'TESTER' && authorId !== user.id) ? null : aliasOf(ordinal)

const toBug = async (tx: Tx, user: SignedIn, row: queries.BugRow): Promise<Bug> => {
  const [events, duplicates] = await Promise.all([
    queries.eventsOf(tx, row.id),
    user.role === 'TESTER' ? [] : queries.duplicatesOf(tx, user.id, row.id),
  ])
  const files = await bugFilesOf(
    tx,
    events.map(({ id }) => id),
  )
  const filesBy = Map.groupBy(files, ({ bugEventId }) => bugEventId)
  return {
    ...toSummary(user, row),
    steps: row.steps,
    expected: row.expected,
    actual: row.actual,
    events: events.map(event => ({
      ...event,
      by: event.role,
      alias: aliasIn(user, event),
      own: event.authorId === user.id,
      attachments: filesBy.get(event.id) ?? [],
    })),
    duplicates: duplicates.map(each => toKnown(user, each)),
    actions: allowedActions(user.role, situationOf(row)),
  }
}

export const get = async (user: SignedIn, id: string, tx: Tx = autocommit): Promise<Bug> =>
  toBug(tx, user, await queries.bugFor(tx, user, id))
