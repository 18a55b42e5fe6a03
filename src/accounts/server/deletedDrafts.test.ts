/** What never started goes with its developer's account: now, and for accounts that were deleted before it did (182 and 186). */
import { afterAll, expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import { draftOf, fundedBy, liveCampaign, password, type Person } from '../../testing/app.ts'
import { migrateAgain } from '../../testing/migrating.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterAll(async () => expect(await brokenChecks()).toEqual([]))

const reason = 'The page of Cassandra is not reachable.'
const links = { accessMode: 'GOOGLE_GROUP', groupLink: 'https://groups.google.com/g/cassandra' }
const written = { description: 'Cassandra tells what comes.', features: ['Prophecies'], title: 'Prophecies', ...links }
const questions = [{ kind: 'SHORT_TEXT', text: 'Do you believe Cassandra?', required: true }]
const ndaText = 'Nobody may quote Cassandra.'

const withTexts = async (owner: Person, campaign: Campaign) => {
  const saved = [
    await owner.call('PUT', `/campaigns/${campaign.id}/nda`, { text: ndaText }),
    await owner.call('PUT', `/campaigns/${campaign.id}/feedback-form`, { questions }),
  ]
  expect(saved.map(({ status }) => status)).toEqual([200, 200])
  return campaign.id
}
/** Paid, rejected by an admin and refunded. */
const refunded = async (owner: Person) => {
  const id = await withTexts(owner, await fundedBy(owner, written))
  expect((await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason })).status).toBe(200)
  expect((await owner.call('POST', `/campaigns/${id}/cancel`)).status).toBe(200)
  return id
}
const ended = async (owner: Person) => {
  const id = await withTexts(owner, await liveCampaign(owner, admin, written))
  await owner.call('POST', `/campaigns/${id}/cancel`)
  return id
}
const deleted = async (owner: Person) =>
  expect((await owner.call('DELETE', '/users/me', { password })).status).toBe(204)

type Row = { description: string; link: string; group: string; features: string[]; title: string } & {
  nda: string
  form: { text: string }[]
  reason: string | null
}
const textsOf = async (id: string) =>
  (
    await t.look<Row>(
      `select description, distribution_link as link, group_link as group, features, title, n.text as nda, f.questions as form,
          (select facts ->> 'reason' from campaign_events where campaign_id = c.id and kind = 'REJECTED') as reason
        from campaigns c join nda_texts n on n.campaign_id = c.id join feedback_forms f on f.campaign_id = c.id where c.id = $1`,
      [id],
    )
  )[0]!
const erased = {
  description: 'Deleted',
  link: 'https://deleted.invalid/',
  group: 'https://deleted.invalid/',
  features: [],
  title: 'Prophecies',
  nda: 'Deleted',
  form: [],
  reason: 'Deleted',
}

test('why an admin rejected it goes with the texts that it may repeat; other events stay, and all of another developer’s', async () => {
  const owner = await t.signUp('DEVELOPER')
  const id = await refunded(owner)
  const another = await refunded(await t.signUp('DEVELOPER'))
  const textsOfAnother = await textsOf(another)
  const kinds = () => t.look('select id, at, kind from campaign_events where campaign_id = $1 order by id', [id])
  await t.advance(1)
  const before = await kinds()
  expect((await textsOf(id)).reason).toBe(reason)
  await deleted(owner)
  expect(await textsOf(id)).toEqual(erased)
  expect(await kinds()).toEqual(before)
  expect(textsOfAnother).toMatchObject({ nda: ndaText, reason })
  expect(await textsOf(another)).toEqual(textsOfAnother)
})

test('no other change of an event is possible', async () => {
  const owner = await t.signUp('DEVELOPER')
  const id = await refunded(owner)
  const change = (set: string) =>
    t.look(`update campaign_events set ${set} where campaign_id = $1 and kind = 'REJECTED'`, [id])
  for (const set of [`facts = '{}'`, `facts = '{"reason": "It is dull."}'`, `at = now()`, `kind = 'APPROVED'`])
    await expect(change(set)).rejects.toThrow('append-only')
  await expect(change(`facts = facts || '{"reason": "Deleted", "by": "ADMIN"}'`)).rejects.toThrow('append-only')
  await expect(t.look('delete from campaign_events where campaign_id = $1', [id])).rejects.toThrow('append-only')
  await t.advance(1)
})

test('accounts that were deleted before it did lose it with the migrations; what has started and what is of others stays', async () => {
  const [gone, present] = [await t.signUp('DEVELOPER'), await t.signUp('DEVELOPER')]
  const id = await refunded(gone)
  const [started, theirs] = [await ended(gone), await refunded(present)]
  const draft = await withTexts(present, await draftOf(present, written))
  await t.advance(1)
  const [texts, kept] = [await textsOf(id), await Promise.all([started, theirs, draft].map(textsOf))]
  await deleted(gone)
  expect(await textsOf(id)).toEqual(erased)
  // As a release that did not erase them left them.
  await t.look('update nda_texts set text = $2 where campaign_id = $1', [id, texts.nda])
  await t.look('update feedback_forms set questions = $2 where campaign_id = $1', [id, JSON.stringify(texts.form)])
  await t.look(
    `update campaigns set description = $2, distribution_link = $3, group_link = $4, features = $5, feedback_questions = 1
      where id = $1`,
    [id, texts.description, texts.link, texts.group, texts.features],
  )
  await t.look('alter table campaign_events disable trigger campaign_events_append_only')
  await t.look(
    `update campaign_events set facts = jsonb_build_object('reason', $2::text) where campaign_id = $1 and kind = 'REJECTED'`,
    [id, texts.reason],
  )
  await t.look('alter table campaign_events enable trigger campaign_events_append_only')
  expect(await textsOf(id)).toEqual(texts)
  // A server that dies in between applies a file again.
  for (let applied = 0; applied < 2; applied++) {
    for (const file of ['182-refunded-drafts-forgotten.sql', '186-reasons-forgotten.sql']) await migrateAgain(t, file)
    expect(await textsOf(id)).toEqual(erased)
  }
  expect(await Promise.all([started, theirs, draft].map(textsOf))).toEqual(kept)
})
