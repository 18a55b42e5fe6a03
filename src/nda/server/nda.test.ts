/** An NDA's text and versions, who sees which part of an acceptance, and what export and deletion of an account do to it. */
import { expect, test } from 'vitest'
import type { PersonalData } from '../../accounts/contract.ts'
import type { AuditEntry } from '../../audit/contract.ts'
import { daysAndProof, draftOf, joinedBy, liveCampaign, password, type Person } from '../../testing/app.ts'
import { atOnce } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { Notification } from '../../notifications/contract.ts'
import type { Nda, NdaAcceptance } from '../contract.ts'
import { ndaLimits } from '../terms.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER', { name: 'Ada Lovelace' })
const stranger = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const ndaOf = (who: Person, id: string) => who.call<Nda>('GET', `/campaigns/${id}/nda`)
const set = (id: string, text: string, who = developer) =>
  who.call<Nda & { message?: string }>('PUT', `/campaigns/${id}/nda`, { text })
const remove = (id: string) => developer.call<Nda>('DELETE', `/campaigns/${id}/nda`)
const accept = (tester: Person, id: string, version: number, name = 'Tess Tester') =>
  tester.call('POST', `/campaigns/${id}/nda/accept`, { name, version })
const acceptancesFor = (who: Person, id: string, query = '') =>
  who.call<NdaAcceptance[]>('GET', `/campaigns/${id}/nda/acceptances${query}`)
const exported = async (id: string, who: Person = developer) => {
  const { accessToken } = await t.signIn(who.user.email)
  const url = `/api/v1/campaigns/${id}/nda/export`
  return t.app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${accessToken}` } })
}
const accepting = async (name?: string, terms: Record<string, unknown> = {}) => {
  const { id } = await liveCampaign(developer, admin, terms)
  await set(id, 'Tell nobody.')
  const tester = await t.signUp('TESTER')
  const seat = (await joinedBy(tester, id)).id
  expect((await accept(tester, id, 1, name)).status).toBe(200)
  return { id, tester, seat }
}

test('the template contains both names; a changed text is a new version, and the same text is not', async () => {
  const { id } = await draftOf(developer, { title: 'Pocket Garden' })
  const { body: fresh } = await ndaOf(developer, id)
  expect(fresh).toMatchObject({ current: null, versions: [], mayChange: true, accepted: null })
  expect(fresh.template).toContain('Pocket Garden')
  expect(fresh.template).toContain('Ada Lovelace')
  expect((await set(id, fresh.template!)).body.current).toMatchObject({ version: 1, text: fresh.template })
  expect((await set(id, fresh.template!)).body.current!.version).toBe(1)
  const { body } = await set(id, 'My own words.')
  expect(body.current).toMatchObject({ version: 2, text: 'My own words.' })
  expect(body.versions.map(({ version }) => version)).toEqual([2, 1])
  const old = await developer.call('GET', `/campaigns/${id}/nda/text?version=1`)
  expect(old.body).toMatchObject({ version: 1, text: fresh.template })
  expect((await developer.call('GET', `/campaigns/${id}/nda/text?version=3`)).status).toBe(404)
})

test('the same text sent several times at once is one version, and testers are told of it once', async () => {
  const { id, tester } = await accepting()
  const replies = await atOnce(4, () => set(id, 'Tell nobody, ever.'))
  expect(replies.map(({ body }) => body.current!.version)).toEqual([2, 2, 2, 2])
  expect((await ndaOf(developer, id)).body.versions).toHaveLength(2)
  const told = await t.look(`select from notifications where user_id = $1 and kind = 'NDA_ASKED'`, [tester.user.id])
  expect(told).toHaveLength(1)
})

test('a withdrawn NDA is no longer asked for, and the next text is a new version', async () => {
  const { id } = await draftOf(developer)
  expect((await remove(id)).status).toBe(409)
  await set(id, 'Tell nobody.')
  expect((await remove(id)).body).toMatchObject({ current: null, versions: [{ version: 1 }] })
  expect((await set(id, 'Tell nobody.')).body.current!.version).toBe(2)
})

test('an NDA that is set again while it is being withdrawn is asked for again, although its text is the same', async () => {
  const { id } = await draftOf(developer)
  await set(id, 'Tell nobody.')
  const row = { rows: 'select from campaigns where id = $1', values: [id] }
  const [removed, again] = await overtaken(
    t,
    row,
    () => remove(id),
    () => set(id, 'Tell nobody.'),
  )
  expect([removed.status, again.status]).toEqual([200, 200])
  expect((await ndaOf(developer, id)).body).toMatchObject({ current: { version: 2 }, versions: [{}, {}] })
})

test('of two withdrawals at the same moment, the second is refused', async () => {
  const { id } = await draftOf(developer)
  await set(id, 'Tell nobody.')
  const row = { rows: 'select from campaigns where id = $1', values: [id] }
  const [first, second] = await overtaken(
    t,
    row,
    () => remove(id),
    () => remove(id),
  )
  expect([first.status, second.status]).toEqual([200, 409])
})

test('only the owner can set an NDA: for others it is not found, and an ended campaign keeps its own', async () => {
  const { id } = await liveCampaign(developer, admin)
  expect((await set(id, 'Mine now.', stranger)).status).toBe(404)
  for (const who of [stranger]) {
    expect((await ndaOf(who, id)).status).toBe(404)
    expect((await acceptancesFor(who, id)).status).toBe(404)
    expect((await exported(id, who)).statusCode).toBe(404)
    expect((await who.call('GET', `/campaigns/${id}/nda/text?version=1`)).status).toBe(404)
  }
  expect(await set(id, '   ')).toMatchObject({ status: 400, body: { fields: { text: 'The text is required' } } })
  expect((await set(id, 'x'.repeat(ndaLimits.text + 1))).status).toBe(400)
  await developer.call('POST', `/campaigns/${id}/cancel`)
  expect((await set(id, 'Too late.')).body.message).toContain('has ended')
  expect((await ndaOf(developer, id)).body.mayChange).toBe(false)
})

test('an NDA that is changed before a tester accepted any promises no paid days, since nothing has begun and the seat can be lost', async () => {
  const { id } = await liveCampaign(developer, admin)
  const before = await t.signUp('TESTER')
  await joinedBy(before, id)
  await set(id, 'Tell nobody.')
  const late = await t.signUp('TESTER')
  await joinedBy(late, id)
  await set(id, 'Tell nobody at all.')
  const told = async (person: Person) =>
    (await person.call<Notification[]>('GET', '/users/me/notifications')).body.map(({ text }) => text)
  const [ofLate] = await told(late)
  expect(ofLate).toContain('accept it within 72 hours of joining to keep your seat')
  expect(ofLate).not.toContain('not affected')
  for (const text of await told(before)) expect(text).toContain('Your days, check-ins, proof and pay are not affected.')
})

test('a changed NDA is put to whoever still tests or waits for a review, and to nobody who has left', async () => {
  const { id, tester, seat } = await accepting(undefined, { durationDays: 1, testersRequired: 3 })
  const [testing, gone] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  await joinedBy(testing, id)
  const { id: left } = await joinedBy(gone, id)
  await gone.call('POST', `/testers/campaign-testers/${left}/leave`)
  await daysAndProof(t, [{ person: tester, participationId: seat }], 1)
  await set(id, 'Tell nobody, ever.')
  const asked = async (person: Person) =>
    (await t.look(`select from notifications where user_id = $1 and kind = 'NDA_ASKED'`, [person.user.id])).length
  expect([await asked(tester), await asked(testing), await asked(gone)]).toEqual([1, 1, 0])
})

test('the number of versions is limited', async () => {
  const { id } = await draftOf(developer)
  await t.look(
    `insert into nda_texts (campaign_id, version, text, set_at) select $1, n, 'Text', now() from generate_series(1, $2) n`,
    [id, ndaLimits.versions],
  )
  expect(await set(id, 'One more.')).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } })
})

test('every tester who sees the campaign can read the NDA before joining, without template and versions', async () => {
  const { id } = await liveCampaign(developer, admin)
  await set(id, 'Tell nobody.')
  const tester = await t.signUp('TESTER')
  expect((await ndaOf(tester, id)).body).toMatchObject({
    current: { version: 1, text: 'Tell nobody.' },
    accepted: null,
    template: null,
    mayChange: false,
    versions: [],
  })
  const { id: draft } = await draftOf(developer)
  expect((await ndaOf(tester, draft)).status).toBe(404)
})

test('of an acceptance, the owner sees alias, version and time, an admin also name and IP address, and other testers nothing', async () => {
  const { id, tester } = await accepting('Grace Hopper')
  const { body: shown } = await acceptancesFor(developer, id)
  expect(shown).toEqual([
    { id: shown[0]!.id, alias: 'Tester 1', version: 1, acceptedAt: shown[0]!.acceptedAt, name: null, ip: null },
  ])
  expect((await acceptancesFor(admin, id)).body).toMatchObject([{ name: 'Grace Hopper', ip: '127.0.0.1' }])
  expect((await ndaOf(admin, id)).body).toMatchObject({ mayChange: false, template: null, versions: [{ version: 1 }] })
  expect((await acceptancesFor(tester, id)).status).toBe(403)
  const other = await t.signUp('TESTER')
  const seen = [
    (await ndaOf(other, id)).body,
    (await ndaOf(developer, id)).body,
    (await developer.call('GET', `/campaigns/${id}/testers`)).body,
    (await developer.call('GET', `/campaigns/${id}/activity`)).body,
  ]
  expect(JSON.stringify(seen)).not.toContain('Grace Hopper')
  expect((await ndaOf(tester, id)).body.accepted).toMatchObject({ name: 'Grace Hopper', ip: '127.0.0.1', version: 1 })
})

test('the pages of acceptances contain each one once', async () => {
  const { id, tester } = await accepting()
  for (const version of [2, 3]) {
    await set(id, `Version ${version}`)
    await accept(tester, id, version)
  }
  const first = await acceptancesFor(developer, id, '?limit=2')
  expect(first.body.map(({ version }) => version)).toEqual([3, 2])
  expect(String(first.headers['link'])).toContain('rel="next"')
  const rest = await acceptancesFor(developer, id, `?limit=2&cursor=${first.body[1]!.id}`)
  expect(rest.body.map(({ version }) => version)).toEqual([1])
})

test('the names are exported as CSV without formulas and IP addresses, and each export is in the audit log', async () => {
  const { id } = await accepting('=HYPERLINK("x")')
  const reply = await exported(id)
  expect(reply.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'cache-control': 'no-store',
    'content-disposition': 'attachment; filename="nda-acceptances.csv"',
  })
  const [head, line] = reply.payload.split('\r\n')
  expect(head).toBe('\uFEFFTester,Name,Version,Accepted')
  expect(line).toMatch(/^Tester 1,"'=HYPERLINK\(""x""\)",1,\d{4}-/)
  expect(reply.payload).not.toContain('127.0.0.1')
  const { body } = await admin.call<{ data: AuditEntry[] }>('GET', '/admin/audit-log?action=campaign.export-nda')
  expect(body.data[0]).toMatchObject({ subjectId: id, facts: { acceptances: 1 } })
})

test('a developer exports the names at most 30 times within an hour, and refused exports are not in the audit log', async () => {
  const { id } = await accepting()
  expect((await exported(id)).statusCode).toBe(200)
  await t.look(`update hourly_calls set calls = 30 where kind = 'NDA_EXPORT' and caller = $1`, [developer.user.id])
  const entries = () => t.look("select from audit_log where action = 'campaign.export-nda'")
  const before = (await entries()).length
  const refused = await exported(id)
  expect([refused.statusCode, refused.headers['retry-after'], refused.json().code]).toEqual([
    429,
    expect.any(String),
    'TOO_MANY_REQUESTS',
  ])
  expect(await entries()).toHaveLength(before)
  await t.advance(1)
  expect((await exported(id)).statusCode).toBe(200)
})

test('an account’s export contains what was accepted and asked for; its deletion removes name and IP address', async () => {
  const { id, tester, seat } = await accepting('Grace Hopper')
  const own = (await tester.call<PersonalData>('GET', '/users/me/export')).body
  const first = { campaign_id: id, version: 1, text: 'Tell nobody.', name: 'Grace Hopper', ip: '127.0.0.1' }
  expect(own.ndaAcceptances).toMatchObject([first])
  await set(id, 'Tell nobody, ever.')
  expect((await accept(tester, id, 2, 'Grace Hopper')).status).toBe(200)
  const both = (await tester.call<PersonalData>('GET', '/users/me/export')).body
  expect(both.ndaAcceptances).toMatchObject([first, { version: 2, text: 'Tell nobody, ever.' }])
  const asked = (await developer.call<PersonalData>('GET', '/users/me/export')).body
  expect(asked.ndas).toContainEqual(expect.objectContaining({ campaign_id: id, version: 1, text: 'Tell nobody.' }))
  await tester.call('POST', `/testers/campaign-testers/${seat}/leave`)
  expect((await tester.call('DELETE', '/users/me', { password })).status).toBe(204)
  const forgotten = { alias: 'Tester 1', name: 'Deleted user', ip: '' }
  expect((await acceptancesFor(admin, id)).body).toMatchObject([forgotten, forgotten])
  expect((await exported(id)).payload).not.toContain('Grace')
})
