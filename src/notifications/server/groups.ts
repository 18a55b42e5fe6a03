/** The notification center: one entry per matter of a campaign, newest first. */
import { clock } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { autocommit } from '../../kit/server/db.ts'
import { aboutSeveral } from '../about.ts'
import type { GroupsQuery, NotificationGroup } from '../contract.ts'
import { inZone } from './emailParts.ts'
import * as queries from './groups.queries.ts'
import { lineOf } from './topics.ts'

/** A page reads at most this many notifications, whatever their groups and the filters; the next page continues from there. */
const window = 1000

export const groups = async (user: SignedIn, { limit, ...filters }: GroupsQuery): Promise<Page<NotificationGroup>> => {
  const [rows, end] = await Promise.all([
    queries.groupsOf(autocommit, user.id, { ...filters, window, limit: limit + 1 }),
    queries.endOfWindow(autocommit, user.id, { ...filters, window }),
  ])
  const items = rows.slice(0, limit).map(toGroup)
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : end }
}

/** Counts the unread ones, and names a single one. If all are read, counts all. */
const toGroup = ({ newest, onlyUnread, things, ownTestId, ...group }: queries.GroupRow): NotificationGroup => {
  const many = lineOf(group.kind, group.unread || group.count)
  const { subject, about } = onlyUnread ?? newest[0]!
  const { campaign } = group
  return {
    ...group,
    subject: many ?? subject,
    about:
      many === null || about === null || campaign === null
        ? about
        : aboutSeveral({ newest: about, campaignId: campaign.id, ownTestId, things }),
    newest: newest.map(one => ({ ...one, text: inZone(one.text, group.timeZone) })),
  }
}

export const markGroupRead = async (user: SignedIn, newestId: string): Promise<{ marked: number }> => ({
  marked: await queries.markGroupRead(autocommit, user.id, newestId, clock.now()),
})
