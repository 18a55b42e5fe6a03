/**
 * Changing the link to the app or to the Google Group while testers may be inside. The new link waits for an admin, and testers
 * keep the old one until then. Both links are requested, and decided, together.
 */
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import type { Tx } from '../../kit/server/db.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type { Campaign, CampaignChange } from '../contract.ts'
import { assertLinksWait, type SeenLinks } from '../rules.ts'
import { act } from './act.ts'
import * as queries from './links.queries.ts'
import type { CampaignRow } from './queries.ts'

/** One of the two links: what testers have now, and what waits for an admin. */
type Waiting = { ofGroup: boolean; current: string | null; pending: string | null }

const waitingOf = (row: CampaignRow): Waiting[] => [
  { ofGroup: false, current: row.distributionLink, pending: row.pendingLink },
  { ofGroup: true, current: row.groupLink, pending: row.pendingGroupLink },
]

type Asked = Pick<CampaignChange, 'distributionLink' | 'groupLink'>

/** A new request replaces the waiting one; requesting the present link withdraws it. Undefined changes nothing. */
export const requestLinks = async (tx: Tx, row: CampaignRow, asked: Asked): Promise<void> => {
  const wanted = waitingOf(row).map(link => {
    const wish = link.ofGroup ? asked.groupLink : asked.distributionLink
    const next = wish ?? link.pending ?? link.current
    return { ...link, next: next === link.current ? null : next }
  })
  const changed = wanted.filter(({ pending, next }) => next !== pending)
  if (changed.length === 0) return
  const now = clock.now()
  const [app, group] = wanted
  await queries.setPendingLinks(tx, row.id, { pendingLink: app!.next, pendingGroupLink: group!.next }, now)
  for (const { ofGroup, pending, next } of changed) {
    const kind = next === null ? 'LINK_WITHDRAWN' : 'LINK_REQUESTED'
    await queries.insertLinkEvent(tx, row.id, kind, { link: next ?? pending!, ofGroup, now })
  }
}

const decidedLinks = (row: CampaignRow) =>
  waitingOf(row).flatMap(({ ofGroup, current, pending }) => (pending === null ? [] : [{ ofGroup, current, pending }]))

export const approveLink = (admin: SignedIn, id: string, seen: SeenLinks): Promise<Campaign> =>
  act(admin, id, 'approveLink', async (tx, row) => {
    assertLinksWait(row, seen)
    const { title, developerId } = row
    const now = clock.now()
    const links = decidedLinks(row)
    await queries.adoptPendingLinks(tx, id)
    for (const { ofGroup, pending: link } of links)
      await queries.insertLinkEvent(tx, id, 'LINK_APPROVED', { link, ofGroup, now })
    await auditIfAdmin(tx, admin, {
      action: 'campaign.approve-link',
      subjectType: 'campaign',
      subjectId: id,
      facts: Object.fromEntries(
        links.flatMap(({ ofGroup, current, pending }) => [
          [ofGroup ? 'oldGroupLink' : 'oldLink', current ?? ''],
          [ofGroup ? 'newGroupLink' : 'newLink', pending],
        ]),
      ),
    })
    await notify(tx, developerId, 'LINK_APPROVED', { campaignId: id, title })
    const groupChanged = links.some(({ ofGroup }) => ofGroup)
    for (const { id: testId, testerId } of await queries.testsUnderWay(tx, id)) {
      await notify(tx, testerId, 'LINK_CHANGED', { testId, title, groupChanged })
    }
  })

export const rejectLink = (admin: SignedIn, id: string, reason: string, seen: SeenLinks): Promise<Campaign> =>
  act(admin, id, 'rejectLink', async (tx, row) => {
    assertLinksWait(row, seen)
    const { title, developerId } = row
    const now = clock.now()
    const links = decidedLinks(row)
    await queries.clearPendingLinks(tx, id)
    for (const { ofGroup, pending: link } of links)
      await queries.insertLinkEvent(tx, id, 'LINK_REJECTED', { link, ofGroup, reason, now })
    await auditIfAdmin(tx, admin, {
      action: 'campaign.reject-link',
      subjectType: 'campaign',
      subjectId: id,
      facts: {
        ...Object.fromEntries(links.map(({ ofGroup, pending }) => [ofGroup ? 'newGroupLink' : 'newLink', pending])),
        reason,
      },
    })
    const link = links.map(({ pending }) => pending).join(' and ')
    await notify(tx, developerId, 'LINK_REJECTED', { campaignId: id, title, link, reason })
  })
