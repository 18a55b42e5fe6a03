/** Use cases of the tester list: what to change, the two exports, and confirming them. */
import { audit } from '../../audit/server/audit.ts'
import { costOfLeavingIn } from '../../continuity/server/continuity.ts'
import { clock } from '../../kit/clock.ts'
import type { FileReply, SignedIn } from '../../kit/endpoint.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { countWithin } from '../../kit/server/hourlyCalls.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { setListed } from '../../participations/server/participations.ts'
import { aliasOf } from '../../participations/rules.ts'
import { playAddressesOf } from '../../playAddresses/server/playAddresses.ts'
import type { Confirmation, ListEntry, TesterList } from '../contract.ts'
import * as rules from '../rules.ts'
import { type ExportForm, exportsPerHour } from '../terms.ts'
import * as queries from './queries.ts'

const toEntry = ({ id, ordinal, erased, listed, notLetIn }: rules.Member): ListEntry => ({
  id,
  alias: aliasOf(ordinal),
  erased,
  listed,
  notLetIn,
})

const toList = async (tx: Tx, campaign: queries.CampaignRow): Promise<TesterList> => {
  const now = clock.now()
  const members = await queries.membersOf(tx, campaign.id)
  const last = await queries.lastExport(tx, campaign.id)
  const changes = rules.changesOf(members, campaign, now)
  const waiting = last?.confirmedAt === null ? last.added : []
  const inside = members.filter(member => rules.belongs(member, campaign, now))
  const leftOut = rules.leftOutOf(changes, last)
  const costOf = changes.unnamed.length > 0 ? await costOfLeavingIn(tx, campaign, now) : () => null
  const toUnnamed = (some: readonly rules.Member[]): TesterList['unnamed'] => ({
    aliases: some.map(({ ordinal }) => aliasOf(ordinal)),
    cost: costOf(some.map(({ id }) => id)),
  })
  return {
    accessMode: campaign.accessMode,
    state: rules.stateOf(changes, last),
    additions: changes.additions.map(toEntry),
    removals: changes.removals.map(toEntry),
    unnamed: toUnnamed(changes.unnamed),
    leftOut: toUnnamed(leftOut),
    testers: inside.filter(rules.mayGetIn).length + changes.unnamed.length,
    ndaAwaited: inside.filter(member => !rules.mayGetIn(member)).length,
    exportedAt: last?.exportedAt ?? null,
    confirmedAt: last?.confirmedAt ?? null,
    added: last?.added.length ?? 0,
    removed: last?.removed.length ?? 0,
    toTell: members.filter(({ id }) => waiting.includes(id)).filter(rules.waitsToGetIn).length,
    appliedAt: campaign.appliedAt,
    mayApply: rules.mayApply(campaign, members),
    erasedAt: campaign.erasedAt,
  }
}

export const get = async (owner: SignedIn, campaignId: string): Promise<TesterList> => {
  const campaign = await queries.campaignOf(autocommit, owner, campaignId)
  rules.assertHasList(campaign)
  return toList(autocommit, campaign)
}

/** The only place that gives addresses to a developer. */
export const exportList = (owner: SignedIn, campaignId: string, form: ExportForm = 'changes'): Promise<FileReply> =>
  transact(async tx => {
    await countWithin(tx, { kind: 'LIST_EXPORT', caller: owner.id }, exportsPerHour, rules.tooManyExports)
    const campaign = await queries.lockCampaignOf(tx, owner, campaignId)
    rules.assertHasList(campaign)
    const now = clock.now()
    const found = await queries.membersOf(tx, campaignId)
    const addresses = await playAddressesOf(
      tx,
      found.map(({ id }) => id),
    )
    // A tester who deletes the account meanwhile is not in the file.
    const members = found.map(member => ({ ...member, erased: !addresses.has(member.id) }))
    const changes = rules.changesOf(members, campaign, now)
    const content =
      form === 'play'
        ? rules.wholeList(members, campaign, addresses, now)
        : rules.changeList(changes, members, campaign, addresses, now)
    const added = changes.additions.map(({ id }) => id)
    const removed = rules.takenOff(changes, form).map(({ id }) => id)
    await queries.insertExport(tx, { campaignId, by: owner.id, now, added, removed })
    await audit(tx, owner, {
      action: 'campaign.export-tester-list',
      subjectType: 'campaign',
      subjectId: campaignId,
      facts: { form, additions: added.length, removals: removed.length },
    })
    return {
      type: 'text/csv; charset=utf-8',
      content,
      downloadAs: `tester-${form === 'play' ? 'list' : 'changes'}.csv`,
    }
  })

/** Confirms the last export. If the owner names an export, it has to be that one. */
export const confirm = (owner: SignedIn, campaignId: string, which?: Confirmation | null): Promise<TesterList> =>
  transact(async tx => {
    const campaign = await queries.lockCampaignOf(tx, owner, campaignId)
    rules.assertHasList(campaign)
    const last = await queries.lastExport(tx, campaignId)
    rules.assertConfirmable(last, campaign, which?.exportedAt)
    const { id, added, removed } = last!
    const now = clock.now()
    const listed = await setListed(tx, { added, removed }, now)
    await queries.confirmExport(tx, id, campaignId, now)
    const inGroup = campaign.accessMode === 'GOOGLE_GROUP'
    const waiting = listed.filter(({ status, optedInAt }) =>
      rules.waitsToGetIn({ status, optedIn: optedInAt !== null }),
    )
    for (const { id: testId, testerId } of waiting) {
      await notify(tx, testerId, 'TESTER_LISTED', { testId, title: campaign.title, inGroup })
    }
    return toList(tx, campaign)
  })

/** Repeating it changes nothing. */
export const applied = (owner: SignedIn, campaignId: string): Promise<TesterList> =>
  transact(async tx => {
    const campaign = await queries.lockCampaignOf(tx, owner, campaignId)
    rules.assertHasList(campaign)
    rules.assertStarted(campaign)
    if (campaign.appliedAt !== null) return toList(tx, campaign)
    const now = clock.now()
    await queries.setApplied(tx, campaignId, now)
    for (const { id: testId, testerId } of await queries.stayingOf(tx, campaignId)) {
      await notify(tx, testerId, 'MAY_OPT_OUT', { testId, title: campaign.title, because: 'APPLIED' })
    }
    return toList(tx, { ...campaign, appliedAt: now })
  })
