/** The notification center: once per matter of a campaign, the newest first. */
import { clock } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { autocommit } from '../../kit/server/db.ts'
import { aboutSeveral } from '../about.ts'
import type { GroupsQuery, NotificationGroup } from '../contract.ts'
import { inZone } from './emailParts.ts'
import * as queries from './groups.queries.ts'
import { lineOf } from './topics.ts'

/** A page looks at so many notifications at most, whatever their groups and the filters are; the next goes on from there. */
const window = 1000

export const groups = async (user: SignedIn, { limit, ...filters }: GroupsQuery): Promise<Page<NotificationGroup>> => {
  const [rows, end] = await Promise.all([
    queries.groupsOf(autocommit, user.id, { ...filters, window, limit: limit + 1 }),
    queries.endOfWindow(autocommit, user.id, { ...filters, window }),
  ])
  const items = rows.slice(0, limit).map(toGroup)
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : end }
}

/** What is unread counts, and is named if it is one; once all of it is read, how many there were. */
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
