/** Use cases of activity: of a campaign, and of one test. */
import type { Handlers, Page, SignedIn } from '../../kit/endpoint.ts'
import { autocommit } from '../../kit/server/db.ts'
import { aliasOf } from '../../participations/rules.ts'
import type { activityApi, ActivityQuery, CampaignEvent } from '../contract.ts'
import * as queries from './queries.ts'
import { assertVisible } from '../../campaigns/server/campaigns.ts'

const toEvent = ({ facts: { ordinal, ...facts }, ...row }: queries.EventRow): CampaignEvent => ({
  ...row,
  alias: ordinal === undefined ? null : aliasOf(ordinal),
  amountCents: facts.amountCents ?? null,
  reason: facts.reason ?? null,
  code: facts.code ?? null,
  link: facts.link ?? null,
  ofGroup: facts.ofGroup ?? false,
  dropReason: facts.dropReason ?? null,
  bySilence: facts.bySilence ?? false,
  by: facts.by ?? null,
  questions: facts.questions ?? null,
  removed: (facts.removed ?? []).map(aliasOf),
  fields: facts.fields ?? [],
})

const toPage = (rows: queries.EventRow[], limit: number): Page<CampaignEvent> => ({
  items: rows.slice(0, limit).map(toEvent),
  nextCursor: rows.length > limit ? String(rows[limit - 1]?.id) : null,
})

/** 404 for a campaign that the caller may not see. */
const ofCampaign = async (user: SignedIn, id: string, query: ActivityQuery): Promise<Page<CampaignEvent>> => {
  await assertVisible(user, id)
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
