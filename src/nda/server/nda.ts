/** NDAs of campaigns: the text and its versions, and who accepted which (decision 037). Accepting one is a step of a test. */
import { clock } from '../../kit/clock.ts'
import type { FileReply, Page, ReplyOf, SignedIn } from '../../kit/endpoint.ts'
import { csvFile } from '../../kit/csv.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { countWithin } from '../../kit/server/hourlyCalls.ts'
import { audit } from '../../audit/server/audit.ts'
import { hasEnded } from '../../campaigns/rules.ts'
import { aliasOf } from '../../campaigns/alias.ts'
import { assertVisible, changedBesides } from '../../campaigns/server/campaigns.ts'
import { notice, notifyMany } from '../../notifications/server/notifications.ts'
import type { Nda, NdaAcceptance, ndaApi } from '../contract.ts'
import {
  campaignAsksForNone,
  campaignOver,
  hasNotBegun,
  templateOf,
  tooManyExports,
  tooManyVersions,
} from '../rules.ts'
import { ndaLimits } from '../terms.ts'
import * as queries from './queries.ts'

const toNda = async (tx: Tx, user: SignedIn, row: queries.CampaignRow): Promise<Nda> => {
  const { id, title, version, text, setAt } = row
  const isOwner = user.id === row.developerId
  return {
    campaign: { id, title },
    current: version === null || text === null || setAt === null ? null : { version, text, setAt },
    accepted: (user.role === 'TESTER' && (await queries.acceptedBy(tx, user.id, id))) || null,
    template: isOwner ? templateOf({ developer: row.developerName, app: title }) : null,
    mayChange: isOwner && !hasEnded(row.status),
    versions: isOwner || user.role === 'ADMIN' ? await queries.versionsOf(tx, id) : [],
  }
}

export const get = async (user: SignedIn, campaignId: string): Promise<Nda> => {
  await assertVisible(user, campaignId)
  return toNda(autocommit, user, await queries.campaignOf(autocommit, campaignId))
}

export const version = async (
  user: SignedIn,
  campaignId: string,
  asked: number | undefined,
): Promise<ReplyOf<typeof ndaApi.version>> => {
  await assertVisible(user, campaignId)
  return queries.versionOf(autocommit, campaignId, asked)
}

const lockedOf = async (tx: Tx, owner: SignedIn, campaignId: string): Promise<queries.CampaignRow> => {
  const row = await queries.lockCampaignOf(tx, owner.id, campaignId)
  if (hasEnded(row.status)) throw campaignOver()
  return row
}

const askedOf = (test: Pick<queries.Inside, 'ndaJoined' | 'ndaAccepted'>) => {
  if (hasNotBegun(test)) return 'BEFORE_ITS_DAYS'
  return test.ndaAccepted === null ? 'FIRST' : 'CHANGED'
}

/** Setting the same text again changes nothing. Testers inside are asked to accept, and continue meanwhile. */
export const set = (owner: SignedIn, campaignId: string, text: string): Promise<Nda> =>
  transact(async tx => {
    const row = await lockedOf(tx, owner, campaignId)
    if (row.text === text) return toNda(tx, owner, row)
    const [newest] = await queries.versionsOf(tx, campaignId)
    if ((newest?.version ?? 0) >= ndaLimits.versions) throw tooManyVersions()
    await queries.insertVersion(tx, campaignId, text, clock.now())
    await changedBesides(tx, campaignId)
    const inside = await queries.testsInside(tx, campaignId)
    await notifyMany(
      tx,
      inside.map(({ id: testId, testerId, dropHours: hours, ...test }) =>
        notice(testerId, 'NDA_ASKED', { testId, title: row.title, hours, asked: askedOf(test) }),
      ),
    )
    return toNda(tx, owner, await queries.campaignOf(tx, campaignId))
  })

/** Called in the caller's transaction once a campaign's testers may be listed again. A later slice knows who waits for that. */
type Opened = (tx: Tx, campaignId: string) => Promise<void>
let opened: Opened = async () => undefined
export const useOpened = (given: Opened): void => {
  opened = given
}

export const remove = (owner: SignedIn, campaignId: string): Promise<Nda> =>
  transact(async tx => {
    const row = await lockedOf(tx, owner, campaignId)
    if (row.version === null) throw campaignAsksForNone()
    await queries.removeNda(tx, campaignId, clock.now())
    await changedBesides(tx, campaignId)
    await opened(tx, campaignId)
    return toNda(tx, owner, await queries.campaignOf(tx, campaignId))
  })

/** The owner gets version, time and alias; an admin also gets the name and the IP address. */
export const acceptances = async (
  user: SignedIn,
  campaignId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Page<NdaAcceptance>> => {
  await assertVisible(user, campaignId)
  const rows = await queries.acceptances(autocommit, campaignId, query)
  const items = rows.slice(0, query.limit).map(({ ordinal, ...row }) => ({ ...row, alias: aliasOf(ordinal) }))
  return {
    items: user.role === 'ADMIN' ? items : items.map(item => ({ ...item, name: null, ip: null })),
    nextCursor: rows.length > query.limit ? String(items.at(-1)!.id) : null,
  }
}

/** The only place that gives testers' names to a developer. */
export const exportNames = (owner: SignedIn, campaignId: string): Promise<FileReply> =>
  transact(async tx => {
    await countWithin(tx, { kind: 'NDA_EXPORT', caller: owner.id }, ndaLimits.exportsPerHour, tooManyExports)
    await queries.lockCampaignOf(tx, owner.id, campaignId)
    const rows = await queries.allAcceptances(tx, campaignId)
    await audit(tx, owner, {
      action: 'campaign.export-nda',
      subjectType: 'campaign',
      subjectId: campaignId,
      facts: { acceptances: rows.length },
    })
    const lines = rows.map(row => [aliasOf(row.ordinal), row.name, row.version, row.acceptedAt])
    return {
      type: 'text/csv; charset=utf-8',
      content: csvFile([['Tester', 'Name', 'Version', 'Accepted'], ...lines]),
      downloadAs: 'nda-acceptances.csv',
    }
  })

/** Called in the transaction of the test's step: records who accepted what, when and from which address. */
export const recordAcceptance = (tx: Tx, given: queries.NewAcceptance): Promise<number> =>
  queries.insertAcceptance(tx, given)
