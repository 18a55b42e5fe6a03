/** Uploads: which files are accepted, who may see them, and how long they are kept. */
import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { film, picture } from '../../testing/pictures.ts'
import { overtaken } from '../../testing/races.ts'
import { formOf, formType, upload, uploaded } from '../../testing/uploads.ts'
import { looseLimits, mostBytesPerDay } from '../terms.ts'
import { currentStorage } from './storage.ts'

const t = testApp()
const tester = signedUp(t, 'TESTER')
const stranger = signedUp(t, 'TESTER')
const admin = signedUp(t, 'ADMIN')
const developer = signedUp(t, 'DEVELOPER')

const read = async (person: Person, path: string) => {
  await person.call('GET', '/users/me')
  const { accessToken } = person
  return t.app.inject({ method: 'GET', url: `/api/v1${path}`, headers: { authorization: `Bearer ${accessToken}` } })
}

const filesKept = async (): Promise<string[]> => {
  const entries = await readdir(join(t.dataDir, 'attachments'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  return entries.filter(entry => entry.isFile()).map(entry => entry.name)
}

test.each(['png', 'jpeg', 'webp'] as const)('a %s is kept as one, with a small preview beside it', async format => {
  const { status, body } = await upload(t, tester, await picture({ width: 900, height: 600, format }))
  expect({ status, body }).toMatchObject({ status: 201, body: { type: `image/${format}`, width: 900, height: 600 } })
  const { headers, rawPayload, statusCode } = await read(tester, `/attachments/${body.id}`)
  expect([statusCode, headers['content-type'], rawPayload.length]).toEqual([200, `image/${format}`, body.bytes])
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'content-disposition': 'inline',
    'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/) as string,
    'content-length': String(body.bytes),
  })
  const { default: sharp } = await import('sharp')
  expect(await sharp(rawPayload).metadata()).toMatchObject({ format, width: 900, height: 600 })
  const preview = await read(tester, `/attachments/${body.id}/preview`)
  expect(await sharp(preview.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 480, height: 320 })
})

test('only the owner of the server’s files can read what was uploaded', async () => {
  await uploaded(t, tester, await picture())
  const root = join(t.dataDir, 'attachments')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const modes = await Promise.all(
    entries.map(async entry => ({
      isFile: entry.isFile(),
      mode: (await stat(join(entry.parentPath, entry.name))).mode & 0o777,
    })),
  )
  expect(new Set(modes.filter(({ isFile }) => isFile).map(({ mode }) => mode))).toEqual(new Set([0o600]))
  expect(new Set(modes.filter(({ isFile }) => !isFile).map(({ mode }) => mode))).toEqual(new Set([0o700]))
})

test('a photo that is read in many pieces is kept whole', async () => {
  const { default: sharp } = await import('sharp')
  const photo = { width: 400, height: 300, channels: 3 } as const
  const pixels = randomBytes(photo.width * photo.height * photo.channels)
  const sent = await sharp(pixels, { raw: photo }).png().toBuffer()
  expect(sent.length).toBeGreaterThan(4 * 65_536)
  const { id } = await uploaded(t, tester, sent)
  const { rawPayload } = await read(tester, `/attachments/${id}`)
  expect((await sharp(rawPayload).removeAlpha().raw().toBuffer()).equals(pixels)).toBe(true)
})

test('a video is a download, and has no preview', async () => {
  const { id, type, bytes } = await uploaded(t, tester, film({ samples: 200_000 }))
  expect([type, bytes]).toEqual(['video/mp4', film({ samples: 200_000 }).length])
  const { headers, rawPayload } = await read(tester, `/attachments/${id}`)
  expect(rawPayload.equals(film({ samples: 200_000 }))).toBe(true)
  expect(headers['content-disposition']).toMatch(/^attachment; filename="recording-[0-9a-f]{8}\.mp4"$/)
  expect((await read(tester, `/attachments/${id}/preview`)).statusCode).toBe(404)
})

test('only its uploader sees an unattached file, not even admins do', async () => {
  const { id } = await uploaded(t, tester, await picture())
  for (const path of [`/attachments/${id}`, `/attachments/${id}/preview`]) {
    expect((await read(tester, path)).statusCode).toBe(200)
    for (const other of [stranger, admin]) expect((await read(other, path)).statusCode).toBe(404)
  }
  expect((await stranger.call('DELETE', `/attachments/${id}`)).status).toBe(404)
})

test('a removed upload is gone, row and files', async () => {
  const { id } = await uploaded(t, tester, await picture())
  expect(await filesKept()).toEqual(expect.arrayContaining([id, `${id}.preview`]))
  expect((await tester.call('DELETE', `/attachments/${id}`)).status).toBe(204)
  expect((await read(tester, `/attachments/${id}`)).statusCode).toBe(404)
  expect((await tester.call('DELETE', `/attachments/${id}`)).status).toBe(404)
  expect((await filesKept()).filter(name => name.startsWith(id))).toEqual([])
  expect(await t.look('select from attachments where id = $1', [id])).toEqual([])
})

test('an unattached file is deleted after 24 hours, and not before', async () => {
  const { id } = await uploaded(t, tester, await picture())
  await t.advance(23)
  expect((await read(tester, `/attachments/${id}`)).statusCode).toBe(200)
  await t.advance(1.5)
  expect((await read(tester, `/attachments/${id}`)).statusCode).toBe(404)
  expect(await t.look('select from attachments')).toEqual([])
  expect(await filesKept()).toEqual([])
})

test('a process that dies at any point leaves nothing for longer than an hour', async () => {
  const whole = await uploaded(t, tester, await picture())
  const halfRemoved = await uploaded(t, tester, await picture())
  // A state between the row and the files of an upload, or after a removal began and before its files are deleted.
  const half = '019e8a00-0000-7000-8000-00000000ab12'
  await t.look(
    `insert into attachments select $2, uploader_id, content_type, bytes, width, height, sha256, look_hash, created_at, null, null,
      null, null, null, loose_since from attachments where id = $1`,
    [whole.id, half],
  )
  await t.look('update attachments set stored_at = null where id = $1', [halfRemoved.id])
  expect((await read(tester, `/attachments/${halfRemoved.id}`)).statusCode).toBe(404)
  // For all that is known, it is still being uploaded.
  await t.advance(0.5)
  expect(await t.look('select id from attachments where id = $1', [half])).toEqual([{ id: half }])
  await t.advance(1)
  expect(await t.look('select id from attachments order by id')).toEqual([{ id: whole.id }])
  expect((await filesKept()).toSorted()).toEqual([whole.id, `${whole.id}.preview`])
})

test('the limits on unattached files and bytes hold, however many are sent at once', async () => {
  const hoarder = await t.signUp('TESTER')
  const { id } = await uploaded(t, hoarder, await picture())
  const fill = (files: number, bytes: number) =>
    t.look(
      `insert into attachments select gen_random_uuid(), uploader_id, content_type, $2, width, height, sha256, look_hash,
        created_at, stored_at, null, null, null, null, loose_since from attachments, generate_series(1, $3) where id = $1`,
      [id, bytes, files],
    )
  await fill(looseLimits.files - 3, 1)
  const replies = await Promise.all(Array.from({ length: 4 }, async () => upload(t, hoarder, await picture())))
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409])
  expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'LIMIT_REACHED',
    message: expect.stringContaining('without attaching them') as string,
  })
  await t.look('update attachments set bytes = 1 where uploader_id = $1', [hoarder.user.id])
  await t.look('delete from attachments where uploader_id = $1 and id <> $2', [hoarder.user.id, id])
  await fill(1, looseLimits.bytes - 1000)
  const large = await upload(t, hoarder, await picture({ format: 'jpeg', width: 3000, height: 3000 }))
  expect([large.status, large.body.code]).toEqual([409, 'LIMIT_REACHED'])
  await t.look('delete from attachments where uploader_id = $1 and id <> $2', [hoarder.user.id, id])
})

test('one user may try at most 300 uploads within an hour, including refused ones', async () => {
  const eager = await t.signUp('TESTER')
  expect((await upload(t, eager, Buffer.from('no picture'))).status).toBe(415)
  expect(
    await t.look(`update hourly_calls set calls = calls + 298 where kind = 'UPLOAD' and caller = $1 returning calls`, [
      eager.user.id,
    ]),
  ).toEqual([{ calls: 299 }])
  expect((await upload(t, eager, Buffer.from('no picture'))).status).toBe(415)
  expect((await upload(t, eager, await picture())).status).toBe(429)
  await t.advance(1)
  await uploaded(t, eager, await picture())
})

test('one user may upload at most 2 GB within 24 hours, attached or not, however many files are sent at once', async () => {
  const busy = await t.signUp('TESTER')
  const image = await picture()
  const { id, bytes } = await uploaded(t, busy, image)
  const { id: campaignId } = await liveCampaign(developer, admin)
  const { id: testId } = await joinedBy(busy, campaignId)
  await t.look(
    `update attachments set bytes = $2, participation_id = $3, kind = 'OPT_IN', loose_since = null where id = $1`,
    [id, mostBytesPerDay - bytes, testId],
  )
  // There is room for exactly one more.
  const replies = await overtaken(
    t,
    { rows: 'select from users where id = $1', values: [busy.user.id] },
    () => upload(t, busy, image),
    () => upload(t, busy, image),
  )
  expect(tally(replies)).toEqual({ 201: 1, 409: 1 })
  expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'LIMIT_REACHED',
    message: 'You have reached the limit of 2 GB of uploads in 24 hours. Continue tomorrow.',
  })
  await uploaded(t, stranger, image)
  await t.advance(25)
  await uploaded(t, busy, image)
})

test('a deleted file still counts toward the 2 GB of its day', async () => {
  const busy = await t.signUp('TESTER')
  const image = await picture()
  const { id } = await uploaded(t, busy, image)
  await t.look('update attachments set bytes = $2 where id = $1', [id, mostBytesPerDay])
  expect((await busy.call('DELETE', `/attachments/${id}`)).status).toBe(204)
  expect(await upload(t, busy, image)).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } })
  await t.advance(25)
  await uploaded(t, busy, image)
  expect(await t.look('select from removed_uploads')).toEqual([])
})

test('screenshots that the product detached do not count against new uploads', async () => {
  const old = await t.signUp('TESTER')
  const image = await picture()
  const { id } = await uploaded(t, old, image)
  await t.look(
    `insert into attachments select gen_random_uuid(), uploader_id, content_type, $2, width, height, sha256, look_hash,
      created_at, null, null, null, null, null, '-infinity' from attachments, generate_series(1, $3) where id = $1`,
    [id, 1, looseLimits.files],
  )
  await uploaded(t, old, image)
})

test('an upload that fails after its file came into use keeps the file', async () => {
  const { id: campaignId } = await liveCampaign(developer, admin)
  const { id: testId } = await joinedBy(tester, campaignId)
  const storage = currentStorage()
  const put = storage.put.bind(storage)
  const attached = Promise.withResolvers<string>()
  // The answer to the last statement was lost, and the tester has attached the file meanwhile.
  const spy = vi.spyOn(storage, 'put').mockImplementation(async (name, content) => {
    await put(name, content)
    if (!name.endsWith('.preview')) return
    const [id] = name.split('.')
    await t.look(
      `update attachments set stored_at = $2, participation_id = $3, kind = 'OPT_IN', loose_since = null where id = $1`,
      [id, clock.now(), testId],
    )
    attached.resolve(id!)
    throw new Error('no answer')
  })
  const { status } = await upload(t, tester, await picture())
  spy.mockRestore()
  expect(status).toBe(500)
  const id = await attached.promise
  expect((await read(tester, `/attachments/${id}`)).statusCode).toBe(200)
  expect((await filesKept()).filter(name => name.startsWith(id))).toHaveLength(2)
})

test('at most four files of one person are uploaded at once', async () => {
  const hasty = await t.signUp('TESTER')
  const image = await picture({ width: 1000, height: 1000 })
  const replies = await Promise.all(Array.from({ length: 6 }, () => upload(t, hasty, image)))
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 201, 429, 429])
  expect((await upload(t, hasty, image)).status).toBe(201)
})

test('at most twenty files are uploaded at once from one network, whoever sends them, and others are not affected', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => t.signUp('TESTER')))
  const image = await picture()
  const send = ({ accessToken }: Person, remoteAddress: string, payload: Buffer | PassThrough) =>
    t.app.inject({
      method: 'POST',
      url: '/api/v1/attachments',
      remoteAddress,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': formType },
      payload,
    })
  const form = formOf([{ bytes: image }])
  const underWay = people.slice(0, 5).flatMap(person =>
    Array.from({ length: 4 }, () => {
      const body = new PassThrough()
      body.write(form.subarray(0, 100))
      return { body, reply: send(person, '203.0.113.5', body) }
    }),
  )
  const statusFrom = async (address: string) => (await send(people[5]!, address, form)).statusCode

  await expect.poll(() => statusFrom('203.0.113.5')).toBe(429)
  expect(await statusFrom('198.51.100.7')).toBe(201)
  for (const { body } of underWay) body.end(form.subarray(100))
  const replies = await Promise.all(underWay.map(({ reply }) => reply))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 201))
  expect(await statusFrom('203.0.113.5')).toBe(201)
})

test('a row has the time of the server’s clock', async () => {
  const { createdAt } = await uploaded(t, tester, await picture())
  expect(createdAt <= clock.now() && createdAt > hoursAfter(clock.now(), -1)).toBe(true)
})
