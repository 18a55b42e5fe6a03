/** Deleting an account erases the person's files, except those that a paid test rests on (decision 024). */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { joinedBy, liveCampaign, password, type Person, proof } from '../../testing/app.ts'
import { picture } from '../../testing/pictures.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { uploaded } from '../../testing/uploads.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const tester = signedUp(t, 'TESTER')
const other = signedUp(t, 'TESTER')

const filesKept = async () => {
  const entries = await readdir(join(t.dataDir, 'attachments'), { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(({ name }) => name)
}
const withPreview = (ids: string[]) => ids.flatMap(id => [id, `${id}.preview`]).toSorted()

const act = async (participationId: string, action: string, body?: object) => {
  const { status } = await tester.call('POST', `/testers/campaign-testers/${participationId}/${action}`, body)
  expect([action, status]).toEqual([action, action === 'check-ins' ? 201 : 200])
}
const statusOf = async (person: Person, id: string) => {
  await person.call('GET', '/users/me')
  const headers = { authorization: `Bearer ${person.accessToken}` }
  return (await t.app.inject({ method: 'GET', url: `/api/v1/attachments/${id}`, headers })).statusCode
}

/** A test with a picture on a check-in, and another on the proof. */
const testWithFiles = async (terms: Record<string, unknown>) => {
  const campaign = await liveCampaign(developer, admin, { durationDays: 1, testersRequired: 1, ...terms })
  const { id } = await joinedBy(tester, campaign.id)
  const ofDay = await uploaded(t, tester, await picture())
  await act(id, 'check-ins', { attachmentId: ofDay.id })
  await t.advance(24)
  const ofProof = await uploaded(t, tester, await picture())
  await act(id, 'proof', { proof: { text: proof, attachmentIds: [ofProof.id] } })
  return { id, files: [ofDay.id, ofProof.id] }
}

test('the files of a verified test stay for the developer; all others of the person are erased, and nobody else’s', async () => {
  const paid = await testWithFiles({ payPerTesterCents: 2000 })
  expect((await developer.call('POST', `/campaign-testers/${paid.id}/verify`)).status).toBe(200)
  const refused = await testWithFiles({})
  const rejection = { code: 'OTHER', reason: 'The proof does not say anything about the app that was tested.' }
  const rejected = await developer.call('POST', `/campaign-testers/${refused.id}/reject`, rejection)
  expect([rejected.status, rejected.body]).toMatchObject([200, {}])
  const left = await joinedBy(tester, (await liveCampaign(developer, admin)).id)
  const ofLeft = await uploaded(t, tester, await picture())
  await act(left.id, 'check-ins', { attachmentId: ofLeft.id })
  await act(left.id, 'leave')
  const loose = await uploaded(t, tester, await picture())
  const othersOwn = await uploaded(t, other, await picture())
  const removed = await uploaded(t, tester, await picture())
  expect((await tester.call('DELETE', `/attachments/${removed.id}`)).status).toBe(204)
  const all = [...paid.files, ...refused.files, ofLeft.id, loose.id, othersOwn.id]
  expect((await filesKept()).toSorted()).toEqual(withPreview(all))

  await t.advance(2)
  await tester.call('POST', '/testers/withdraw', { amountCents: 2000 }, 'all-of-it')
  await t.advance(1)
  const gone = await tester.call('DELETE', '/users/me', { password })
  expect([gone.status, gone.body]).toEqual([204, undefined])

  // The files disappear for everybody at once, and from the disk with the next sweep.
  for (const id of [...refused.files, ofLeft.id, loose.id])
    for (const person of [developer, admin]) expect(await statusOf(person, id)).toBe(404)
  await t.advance(1)
  expect((await filesKept()).toSorted()).toEqual(withPreview([...paid.files, othersOwn.id]))
  const rows = await t.look<{ id: string }>('select id from attachments order by id')
  expect(rows.map(({ id }) => id)).toEqual([...paid.files, othersOwn.id].toSorted())
  for (const id of paid.files) expect(await statusOf(developer, id)).toBe(200)
  // Nothing is kept of them for the limit of a day's uploads.
  expect(await t.look('select from removed_uploads where uploader_id = $1', [tester.user.id])).toEqual([])
})
