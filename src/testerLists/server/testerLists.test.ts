/** The tester list: aliases on the screen, addresses only in exports, and changes counted from the last confirmed export. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CampaignEvent } from '../../activity/contract.ts'
import type { AuditEntry } from '../../audit/contract.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import { fundedBy, joinedBy, liveCampaign, type Person, playEmailOf } from '../../testing/app.ts'
import { clock, hoursAfter, hoursBetween } from '../../kit/clock.ts'
import { inParallel, tally } from '../../testing/observed.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { TesterList } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER', { name: 'Ada Lovelace' })
const admin = signedUp(t, 'ADMIN')
const testers = allSignedUp(t, 'TESTER', 6)
const others = allSignedUp(t, 'TESTER', 2)

const emailList = { accessMode: 'EMAIL_LIST', testersRequired: 6 }
const listOf = async (id: string) => {
  const { status, body } = await developer.call<TesterList>('GET', `/campaigns/${id}/tester-list`)
  expect(status).toBe(200)
  return body
}
const aliases = ({ additions, removals }: TesterList) => [
  additions.map(({ alias }) => alias),
  removals.map(({ alias }) => alias),
]
const exported = async (id: string, form = '', who = developer) => {
  const reply = await t.app.inject({
    method: 'POST',
    url: `/api/v1/campaigns/${id}/tester-list/export${form}`,
    headers: { authorization: `Bearer ${(await t.signIn(who.user.email)).accessToken}` },
  })
  return { status: reply.statusCode, text: reply.payload, headers: reply.headers, bytes: reply.rawPayload }
}
const linesOf = ({ text }: { text: string }) => text.split(/\r?\n/).filter(Boolean)
const confirm = (id: string, who: Person = developer, which?: { exportedAt: string | null }) =>
  who.call<TesterList & { message?: string }>('POST', `/campaigns/${id}/tester-list/confirm`, which)
const applied = (id: string) => developer.call<TesterList>('POST', `/campaigns/${id}/applied`)
const leave = (tester: Person, id: string) => tester.call('POST', `/testers/campaign-testers/${id}/leave`)
const subjectsOf = async (person: Person) =>
  (await person.call<{ subject: string }[]>('GET', '/users/me/notifications')).body.map(({ subject }) => subject)
const eventsOf = async (id: string) =>
  (await developer.call<CampaignEvent[]>('GET', `/campaigns/${id}/activity`)).body.map(({ kind, alias }) =>
    alias ? `${alias} ${kind}` : kind,
  )
const listedAt = async (id: string) =>
  (
    await t.look<{ listed_at: string | null; unlisted_at: string | null; wake_at: string | null }>(
      'select listed_at, unlisted_at, wake_at from participations where id = $1',
      [id],
    )
  )[0]!

describe('the list', () => {
  test('goes from joining to Play Console and back: it is exported and confirmed, testers are told, and it changes again', async () => {
    const { id, title } = await liveCampaign(developer, admin, { ...emailList, title: 'Listed notes' })
    expect(await listOf(id)).toMatchObject({ state: 'NOTHING_TO_DO', additions: [], exportedAt: null, testers: 0 })
    const [ann, bob] = [await joinedBy(testers[0]!, id), await joinedBy(testers[1]!, id)]
    const fresh = await listOf(id)
    expect(fresh).toMatchObject({ state: 'TO_EXPORT', testers: 2, exportedAt: null, confirmedAt: null })
    expect(fresh.additions).toEqual([
      { id: ann.id, alias: 'Tester 1', erased: false, listed: false, notLetIn: null },
      { id: bob.id, alias: 'Tester 2', erased: false, listed: false, notLetIn: null },
    ])
    expect(JSON.stringify(fresh)).not.toContain('@')

    const changes = await exported(id)
    expect(linesOf(changes)).toEqual([
      'email,change',
      `${playEmailOf(testers[0]!)},ADD`,
      `${playEmailOf(testers[1]!)},ADD`,
    ])
    expect(await listOf(id)).toMatchObject({ state: 'EXPORTED', confirmedAt: null })
    const { status, body } = await confirm(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ state: 'NOTHING_TO_DO', additions: [], removals: [] })
    expect(body.confirmedAt).not.toBeNull()
    for (const tester of testers.slice(0, 2)) expect(await subjectsOf(tester)).toContain(`You can get in now: ${title}`)
    expect((await listedAt(ann.id)).listed_at).toBe(body.confirmedAt)

    await leave(testers[1]!, bob.id)
    await joinedBy(testers[2]!, id)
    expect(aliases(await listOf(id))).toEqual([['Tester 3'], ['Tester 2']])
    expect(linesOf(await exported(id))).toEqual([
      'email,change',
      `${playEmailOf(testers[2]!)},ADD`,
      `${playEmailOf(testers[1]!)},REMOVE`,
    ])
    expect((await confirm(id)).status).toBe(200)
    expect((await listedAt(bob.id)).unlisted_at).not.toBeNull()
    expect(aliases(await listOf(id))).toEqual([[], []])
    expect((await eventsOf(id)).filter(event => /LIST/.test(event)).toReversed()).toEqual([
      'LIST_EXPORTED',
      'LIST_CONFIRMED',
      'Tester 1 TESTER_LISTED',
      'Tester 2 TESTER_LISTED',
      'LIST_EXPORTED',
      'LIST_CONFIRMED',
      'Tester 3 TESTER_LISTED',
    ])
  })

  test('ends the opt-in of testers who come off it, although a server whose clock is ahead recorded it', async () => {
    const { id } = await liveCampaign(developer, admin, { ...emailList, durationDays: 1, dailyCheckIn: false })
    const tester = testers[0]!
    const joined = await joinedBy(tester, id)
    await exported(id)
    await confirm(id)
    await tester.call('POST', `/testers/campaign-testers/${joined.id}/opt-in`, {})
    await t.advance(25)
    await tester.call('POST', `/testers/campaign-testers/${joined.id}/proof`, { proof: 'All screens work.' })
    await developer.call('POST', `/campaign-testers/${joined.id}/verify`)
    const present = async () => {
      const { body } = await developer.call<{ unbrokenTesters: number }>('GET', `/campaigns/${id}/continuity`)
      return body.unbrokenTesters
    }
    expect(await present()).toBe(1)
    await t.look('update opt_in_runs set started_at = $2, confirmed_at = $2 where participation_id = $1', [
      joined.id,
      hoursAfter(clock.now(), 1),
    ])
    await applied(id)
    await exported(id)
    expect((await confirm(id)).status).toBe(200)
    expect(await present()).toBe(0)
  })

  test('leaves opt-ins that had ended before as they were', async () => {
    const { id } = await liveCampaign(developer, admin, { ...emailList, durationDays: 1, dailyCheckIn: false })
    const tester = testers[0]!
    const joined = await joinedBy(tester, id)
    await exported(id)
    await confirm(id)
    for (const step of ['opt-in', 'opt-out', 'opt-in']) {
      expect((await tester.call('POST', `/testers/campaign-testers/${joined.id}/${step}`)).status).toBe(200)
      await t.advance(1)
    }
    await t.advance(24)
    await tester.call('POST', `/testers/campaign-testers/${joined.id}/proof`, { proof: 'All screens work.' })
    await developer.call('POST', `/campaign-testers/${joined.id}/verify`)
    await applied(id)
    await exported(id)
    expect((await confirm(id)).status).toBe(200)
    const runs = await t.look<{ end_reason: string }>(
      'select end_reason from opt_in_runs where participation_id = $1 order by id',
      [joined.id],
    )
    expect(runs.map(run => run.end_reason)).toEqual(['OPTED_OUT', 'LEFT'])
  })

  test('for Play is complete, with an address per line and no header, comma or byte order mark', async () => {
    const { id } = await liveCampaign(developer, admin, emailList)
    const rows = [await joinedBy(testers[0]!, id), await joinedBy(testers[1]!, id)]
    await exported(id)
    await confirm(id)
    await leave(testers[1]!, rows[1]!.id)
    await joinedBy(testers[2]!, id)
    const { text, headers, bytes } = await exported(id, '?form=play')
    expect(text).toBe([playEmailOf(testers[0]!), playEmailOf(testers[2]!)].join('\n'))
    expect(bytes.subarray(0, 3)).not.toEqual(Buffer.from('\uFEFF'))
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="tester-list.csv"',
    })
    // It covers the changes just as the change list does.
    expect(await listOf(id)).toMatchObject({ state: 'EXPORTED' })
    expect((await confirm(id)).body.state).toBe('NOTHING_TO_DO')
  })

  test('for a Google Group works the same way', async () => {
    const groupLink = 'https://groups.google.com/g/notes-testers'
    const { id } = await liveCampaign(developer, admin, { ...emailList, accessMode: 'GOOGLE_GROUP', groupLink })
    await joinedBy(testers[0]!, id)
    expect(linesOf(await exported(id))).toHaveLength(2)
    expect((await confirm(id)).body).toMatchObject({ accessMode: 'GOOGLE_GROUP', state: 'NOTHING_TO_DO' })
  })

  test('leaves each test the deadline that its rules give', async () => {
    const { id } = await liveCampaign(developer, admin, emailList)
    const row = await joinedBy(testers[0]!, id)
    await exported(id)
    await confirm(id)
    const { listed_at: from, wake_at: at } = await listedAt(row.id)
    // From now on the opt-in is awaited, with a warning after 48 hours.
    expect(hoursBetween(from!, at!)).toBe(48)
    await leave(testers[0]!, row.id)
    await exported(id)
    expect((await confirm(id)).status).toBe(200)
    expect((await listedAt(row.id)).wake_at).toBeNull()
  })
})

describe('confirming', () => {
  test('is exported at most 30 times within the hour', async () => {
    const { id } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
    expect((await exported(id)).status).toBe(200)
    await t.look(`update hourly_calls set calls = 30 where kind = 'LIST_EXPORT' and caller = $1`, [developer.user.id])
    const refused = await exported(id, '?form=play')
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.any(String)])
    await t.advance(1)
    expect((await exported(id)).status).toBe(200)
  })

  test('needs an export, and works once', async () => {
    const { id } = await liveCampaign(developer, admin, emailList)
    const first = await confirm(id)
    expect(first).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(first.body.message).toContain('no export')
    await joinedBy(testers[0]!, id)
    await exported(id)
    const replies = await inParallel(4, () => confirm(id))
    expect(tally(replies)).toEqual({ 200: 1, 409: 3 })
    expect((await confirm(id)).body.message).toContain('already')
    const told = (await eventsOf(id)).filter(event => event === 'Tester 1 TESTER_LISTED')
    expect(told).toHaveLength(1)
  })

  test('covers testers in the last export, and nobody who joined after it', async () => {
    const { id } = await liveCampaign(developer, admin, emailList)
    const ann = await joinedBy(testers[0]!, id)
    await exported(id)
    const bob = await joinedBy(testers[1]!, id)
    // Before confirming, the owner sees what it does: it confirms that export, without later changes.
    expect(await listOf(id)).toMatchObject({ state: 'CHANGED', added: 1, removed: 0, toTell: 1 })
    expect((await confirm(id)).body).toMatchObject({ state: 'TO_EXPORT', added: 1, toTell: 0 })
    expect([(await listedAt(ann.id)).listed_at !== null, (await listedAt(bob.id)).listed_at]).toEqual([true, null])
    expect(aliases(await listOf(id))).toEqual([['Tester 2'], []])
  })

  test('applies to the export that the owner means, not to a newer one whose file they may not have', async () => {
    const { id } = await liveCampaign(developer, admin, emailList)
    const ann = await joinedBy(await t.signUp('TESTER'), id)
    await exported(id)
    const { exportedAt: first } = await listOf(id)
    await t.advance(0.1)
    const bob = await joinedBy(await t.signUp('TESTER'), id)
    await exported(id)
    const { exportedAt: second } = await listOf(id)
    const late = await confirm(id, developer, { exportedAt: first })
    expect(late).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(late.body.message).toContain('exported again since')
    expect([(await listedAt(ann.id)).listed_at, (await listedAt(bob.id)).listed_at]).toEqual([null, null])
    expect((await confirm(id, developer, { exportedAt: second })).body).toMatchObject({ state: 'NOTHING_TO_DO' })
  })

  test('is not asked for after an export without changes, whoever joins then', async () => {
    const { id } = await liveCampaign(developer, admin, emailList)
    await exported(id, '?form=play')
    await joinedBy(testers[0]!, id)
    expect(await listOf(id)).toMatchObject({ state: 'TO_EXPORT', added: 0, removed: 0, toTell: 0 })
  })

  test('lists a tester who left in between, who then has to be removed and is told nothing', async () => {
    const { id, title } = await liveCampaign(developer, admin, { ...emailList, title: 'Left in between' })
    const person = await t.signUp('TESTER')
    const row = await joinedBy(person, id)
    await exported(id)
    await leave(person, row.id)
    expect(await listOf(id)).toMatchObject({ state: 'CHANGED', added: 1, removed: 0, toTell: 0 })
    await confirm(id)
    expect(aliases(await listOf(id))).toEqual([[], ['Tester 1']])
    expect(await subjectsOf(person)).not.toContain(`You can get in now: ${title}`)
  })
})

test('a tester who was exported but never confirmed, and has left, has to be removed until such an export is confirmed', async () => {
  const { id } = await liveCampaign(developer, admin, emailList)
  const [gone] = [await joinedBy(testers[0]!, id), await joinedBy(testers[1]!, id)]
  const never = await joinedBy(testers[2]!, id)
  await leave(testers[2]!, never.id)
  await exported(id)
  await leave(testers[0]!, gone!.id)
  expect(await listOf(id)).toMatchObject({ state: 'CHANGED' })
  for (const _twice of [1, 2]) {
    expect(aliases(await listOf(id))).toEqual([['Tester 2'], ['Tester 1']])
    expect(linesOf(await exported(id))).toEqual([
      'email,change',
      `${playEmailOf(testers[1]!)},ADD`,
      `${playEmailOf(testers[0]!)},REMOVE`,
    ])
  }
  expect((await confirm(id)).body).toMatchObject({ state: 'NOTHING_TO_DO', additions: [], removals: [] })
  expect((await listedAt(gone!.id)).listed_at).toBeNull()
})

test('a tester who joins while the list is exported is in it or in the next change list, and never lost', async () => {
  const { id } = await liveCampaign(developer, admin, { ...emailList, testersRequired: 6 })
  await joinedBy(testers[0]!, id)
  const campaign = { rows: 'select from campaigns where id = $1', values: [id] }
  const [, joined] = await overtaken(
    t,
    campaign,
    () => exported(id),
    () => joinedBy(testers[1]!, id),
  )
  await Promise.all([exported(id), ...testers.slice(2).map(tester => joinedBy(tester, id)), confirm(id), exported(id)])
  await confirm(id)
  await exported(id)
  await confirm(id)
  expect(await listOf(id)).toMatchObject({ state: 'NOTHING_TO_DO', testers: 6 })
  expect((await listedAt(joined.id)).listed_at).not.toBeNull()
  const missing = await t.look('select from participations where campaign_id = $1 and listed_at is null', [id])
  expect(missing).toEqual([])
})

test('a tester who deleted the account is listed for removal by alias, and no export can name them', async () => {
  const person = await t.signUp('TESTER')
  const { id } = await liveCampaign(developer, admin, emailList)
  const row = await joinedBy(person, id)
  await exported(id)
  await confirm(id)
  await leave(person, row.id)
  expect((await person.call('DELETE', '/users/me', { password: 'correct horse' })).status).toBe(204)
  const list = await listOf(id)
  expect(list.removals).toEqual([{ id: row.id, alias: 'Tester 1', erased: true, listed: true, notLetIn: null }])
  expect(linesOf(await exported(id))).toEqual(['email,change'])
})

describe('is for the owner of a campaign with a list', () => {
  const calls = [
    ['GET', ''],
    ['POST', '/export'],
    ['POST', '/confirm'],
  ] as const
  const pathsOf = (id: string) => [
    ...calls.map(([method, end]) => [method, `/campaigns/${id}/tester-list${end}`] as const),
    ['POST', `/campaigns/${id}/applied`] as const,
  ]

  test('401, 403 and 404 to others', async () => {
    const { id } = await liveCampaign(developer, admin, emailList)
    const row = await joinedBy(testers[0]!, id)
    const other = await t.signUp('DEVELOPER')
    for (const [method, path] of pathsOf(id)) {
      expect((await t.call(method, path)).status).toBe(401)
      for (const person of [admin, testers[0]!]) expect((await person.call(method, path)).status).toBe(403)
      expect((await other.call(method, path)).status).toBe(404)
    }
    for (const [method, path] of pathsOf(randomUUID())) expect((await developer.call(method, path)).status).toBe(404)
    expect((await developer.call('POST', `/campaigns/${id}/tester-list/export?form=all`)).status).toBe(400)
    expect((await listedAt(row.id)).listed_at).toBeNull()
    expect(await listOf(id)).toMatchObject({ exportedAt: null, appliedAt: null })
  })

  test('409 for a campaign with an open link, and for “applied” before the start', async () => {
    const { id } = await liveCampaign(developer, admin)
    for (const [method, path] of pathsOf(id)) {
      const { status, body } = await developer.call(method, path)
      expect([status, body.code]).toEqual([409, 'WRONG_STATE'])
    }
    const paid = await fundedBy(developer, emailList)
    expect((await applied(paid.id)).status).toBe(409)
  })
})

test('every export is an audit entry under the owner’s name without addresses, and nothing else about the list is', async () => {
  const { id } = await liveCampaign(developer, admin, emailList)
  await joinedBy(others[0]!, id)
  const log = async () =>
    (
      await admin.call<{ data: AuditEntry[] }>('GET', '/admin/audit-log?action=campaign.export-tester-list&limit=100')
    ).body.data.filter(({ subjectId }) => subjectId === id)
  await listOf(id)
  await exported(id)
  await exported(id, '?form=play')
  await confirm(id)
  const entries = await log()
  expect(entries.map(({ admin: by, facts, campaignId }) => [by?.name, facts, campaignId])).toEqual([
    ['Ada Lovelace', { form: 'play', additions: 1, removals: 0 }, id],
    ['Ada Lovelace', { form: 'changes', additions: 1, removals: 0 }, id],
  ])
  expect(JSON.stringify(entries)).not.toContain('@')
})

test('an export is kept under no idempotency key', async () => {
  const { id } = await liveCampaign(developer, admin, emailList)
  await joinedBy(others[0]!, id)
  await developer.call('POST', `/campaigns/${id}/tester-list/export`, undefined, 'an-export')
  expect(await t.look(`select from idempotency_keys where key = 'an-export'`)).toEqual([])
})

test('a campaign of other testers does not see them: the roster and its export name only its own', async () => {
  const [one, two] = [await liveCampaign(developer, admin, emailList), await liveCampaign(developer, admin, emailList)]
  await joinedBy(others[0]!, one.id)
  await joinedBy(others[1]!, two.id)
  expect((await exported(two.id, '?form=play')).text).toBe(playEmailOf(others[1]!))
  const { body } = await developer.call<CampaignTester[]>('GET', `/campaigns/${two.id}/testers`)
  expect(JSON.stringify(body)).not.toContain('gmail.com')
})

// Runs last, because sessions expire while it waits.
describe('a verified tester', () => {
  const verifiedIn = async (terms: Record<string, unknown> = {}, optsIn = true) => {
    const person = await t.signUp('TESTER')
    const { id, title } = await liveCampaign(developer, admin, { ...emailList, durationDays: 1, ...terms })
    const { id: participationId } = await joinedBy(person, id)
    await exported(id)
    await confirm(id)
    if (optsIn) await person.call('POST', `/testers/campaign-testers/${participationId}/opt-in`)
    await t.look(
      `update participations set status = 'SUBMITTED', proof_text = 'It went well.', proof_submitted_at = joined_at where id = $1`,
      [participationId],
    )
    const { status } = await developer.call('POST', `/campaign-testers/${participationId}/verify`)
    expect(status).toBe(200)
    return { id, title, person, participationId }
  }

  test.each([
    ['was never opted in', (_person: Person, _id: string) => Promise.resolve(), false],
    [
      'has opted out',
      (person: Person, id: string) => person.call('POST', `/testers/campaign-testers/${id}/opt-out`),
      true,
    ],
  ])('a tester who %s is not told that they may opt out now', async (_who, before, optsIn) => {
    const { id, title, person, participationId } = await verifiedIn({ title: 'Nothing to leave' }, optsIn)
    await before(person, participationId)
    expect((await applied(id)).status).toBe(200)
    expect(await subjectsOf(person)).not.toContain(`You may opt out now: ${title}`)
  })

  test('stays on the list until the owner has applied, who may say so twice, and is told once', async () => {
    const { id, title, person } = await verifiedIn({ title: 'Applied notes' })
    const testing = await t.signUp('TESTER')
    const { id: testId } = await joinedBy(testing, id)
    await testing.call('POST', `/testers/campaign-testers/${testId}/opt-in`, {})
    await exported(id)
    await confirm(id)
    const { id: another } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
    expect(aliases(await listOf(id))).toEqual([[], []])
    const [told] = (await person.call<{ text: string }[]>('GET', '/users/me/notifications')).body
    expect(told!.text).toContain('Please stay opted in on Google Play')
    expect(await listOf(id)).toMatchObject({ mayApply: true, appliedAt: null })
    // If nobody is opted in or verified, there is nothing to apply with.
    expect(await listOf(another)).toMatchObject({ mayApply: false, appliedAt: null })
    const replies = await inParallel(3, () => applied(id))
    expect(tally(replies)).toEqual({ 200: 3 })
    for (const { body } of replies) expect(body).toMatchObject({ mayApply: false, state: 'TO_EXPORT' })
    expect(new Set(replies.map(({ body }) => body.appliedAt)).size).toBe(1)
    expect((await listOf(another)).appliedAt).toBeNull()
    expect(aliases(await listOf(id))).toEqual([[], ['Tester 1']])
    expect((await eventsOf(id)).filter(event => event === 'APPLIED')).toHaveLength(1)
    expect((await subjectsOf(person)).filter(subject => subject === `You may opt out now: ${title}`)).toHaveLength(1)
    // Whoever still tests needs the opt-in for their own days.
    expect(await subjectsOf(testing)).not.toContain(`You may opt out now: ${title}`)
  })

  test('needs no NDA any more once the campaign is over', async () => {
    const { id, participationId } = await verifiedIn({ testersRequired: 1 })
    // Off the list, with an NDA that came after the list was confirmed.
    await t.look('delete from tester_list_changes where participation_id = $1', [participationId])
    await t.look('update participations set listed_at = null where id = $1', [participationId])
    expect((await developer.call('PUT', `/campaigns/${id}/nda`, { text: 'Tell nobody about it.' })).status).toBe(200)
    expect(await listOf(id)).toMatchObject({ ndaAwaited: 1, additions: [] })
    await t.advance(1)
    expect(await listOf(id)).toMatchObject({ ndaAwaited: 0, additions: [{ id: participationId }] })
  })

  test('stays on it until 14 days after the campaign’s end', async () => {
    const { id } = await verifiedIn({ testersRequired: 1 })
    await t.advance(1)
    const [campaign] = await t.look<{ status: string }>('select status from campaigns where id = $1', [id])
    expect(campaign!.status).toBe('COMPLETED')
    await t.advance(14 * 24 - 2)
    expect(aliases(await listOf(id))).toEqual([[], []])
    await t.advance(3)
    expect(aliases(await listOf(id))).toEqual([[], ['Tester 1']])
    await t.advance(16 * 24)
    const over = await listOf(id)
    expect(aliases(over)).toEqual([[], []])
    expect(over.erasedAt).not.toBeNull()
    expect((await exported(id, '?form=play')).text).toBe('')
  })
})
