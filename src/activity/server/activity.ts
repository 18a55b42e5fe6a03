/** Use cases of what happened: to a campaign, and to one test. */
import type { Handlers, Page, SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { aliasOf } from '../../participations/rules.ts'
import { type activityApi, type ActivityQuery, type CampaignEvent, editableFields } from '../contract.ts'
import type { CampaignChange } from '../../campaigns/contract.ts'
import * as queries from './queries.ts'
import { campaignFor, type CampaignRow } from '../../campaigns/server/queries.ts'

const toEvent = ({ facts: { ordinal, ...facts }, ...row }: queries.EventRow): CampaignEvent => ({
  ...row,
  alias: ordinal === undefined ? null : aliasOf(ordinal),
  amountCents: facts.amountCents ?? null,
  reason: facts.reason ?? null,
  code: facts.code ?? null,
  dropReason: facts.dropReason ?? null,
  bySilence: facts.bySilence ?? false,
  fields: facts.fields ?? [],
})

const toPage = (rows: queries.EventRow[], limit: number): Page<CampaignEvent> => ({
  items: rows.slice(0, limit).map(toEvent),
  nextCursor: rows.length > limit ? String(rows[limit - 1]?.id) : null,
})

/** Of a campaign that the caller may see; somebody else's is not found. */
const ofCampaign = async (user: SignedIn, id: string, query: ActivityQuery): Promise<Page<CampaignEvent>> => {
  await campaignFor(autocommit, user, id)
  return toPage(await queries.eventsOfCampaign(autocommit, id, query), query.limit)
}

const ofTest = async (tester: SignedIn, id: string, query: ActivityQuery): Promise<Page<CampaignEvent>> => {
  await queries.ownTest(autocommit, tester.id, id)
  return toPage(await queries.eventsOfTest(autocommit, id, query), query.limit)
}

export const activityHandlers: Handlers<typeof activityApi> = {
  ofCampaign: ({ user, params, query }) => ofCampaign(user, params.id, query),
  ofTest: ({ user, params, query }) => ofTest(user, params.id, query),
}

const filtersOf = ({ countries, minAndroidVersion, minIOSVersion }: CampaignRow) => ({
  countries,
  minAndroidVersion,
  minIOSVersion,
})

/** Records an edit by what really changed; nothing when it left everything as it was. */
export const recordEdit = async (tx: Tx, row: CampaignRow, change: CampaignChange, now: string): Promise<void> => {
  const before: CampaignChange = { ...row, filters: filtersOf(row) }
  const changed = editableFields.filter(
    field => change[field] !== undefined && JSON.stringify(change[field]) !== JSON.stringify(before[field]),
  )
  if (changed.length > 0) await queries.insertEdit(tx, row.id, changed, now)
}
