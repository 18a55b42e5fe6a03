/** A link that is changed while testers may be inside: it waits for an admin, and they keep the old one until then. */
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import type { Tx } from '../../kit/server/db.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type { Campaign } from '../contract.ts'
import { assertLinkWaits } from '../rules.ts'
import { act } from './act.ts'
import * as queries from './links.queries.ts'
import type { CampaignRow } from './queries.ts'

/** The newest request replaces a waiting one; the old link again withdraws it. Undefined changes nothing. */
export const requestLink = async (tx: Tx, row: CampaignRow, link: string | undefined): Promise<void> => {
  if (link === undefined || link === (row.pendingLink ?? row.distributionLink)) return
  const withdrawn = link === row.distributionLink
  const now = clock.now()
  await queries.setPendingLink(tx, row.id, withdrawn ? null : link, now)
  await queries.insertLinkEvent(tx, row.id, withdrawn ? 'LINK_WITHDRAWN' : 'LINK_REQUESTED', {
    link: withdrawn ? row.pendingLink! : link,
    now,
  })
}

export const approveLink = (admin: SignedIn, id: string, seen: string | undefined): Promise<Campaign> =>
  act(admin, id, 'approveLink', async (tx, row) => {
    const { title, developerId, distributionLink } = row
    const link = decided(row, seen)
    const now = clock.now()
    await queries.adoptPendingLink(tx, id)
    await queries.insertLinkEvent(tx, id, 'LINK_APPROVED', { link, now })
    await auditIfAdmin(tx, admin, {
      action: 'campaign.approve-link',
      subjectType: 'campaign',
      subjectId: id,
      facts: { oldLink: distributionLink, newLink: link },
    })
    await notify(tx, developerId, 'LINK_APPROVED', { campaignId: id, title })
    for (const { id: testId, testerId } of await queries.testsUnderWay(tx, id)) {
      await notify(tx, testerId, 'LINK_CHANGED', { testId, title })
    }
  })

export const rejectLink = (admin: SignedIn, id: string, reason: string, seen: string | undefined): Promise<Campaign> =>
  act(admin, id, 'rejectLink', async (tx, row) => {
    const { title, developerId } = row
    const link = decided(row, seen)
    const now = clock.now()
    await queries.clearPendingLink(tx, id)
    await queries.insertLinkEvent(tx, id, 'LINK_REJECTED', { link, reason, now })
    await auditIfAdmin(tx, admin, {
      action: 'campaign.reject-link',
      subjectType: 'campaign',
      subjectId: id,
      facts: { newLink: link, reason },
    })
    await notify(tx, developerId, 'LINK_REJECTED', { campaignId: id, title, link, reason })
  })

/** The waiting link; the rule has made sure that there is one. */
const decided = ({ pendingLink }: CampaignRow, seen: string | undefined): string => {
  assertLinkWaits(pendingLink, seen)
  return pendingLink!
}
