/** Malicious uploads are refused with a sentence, or cleaned, and leave nothing behind on disk or in the database. */
import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { deflateSync, crc32 } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Attachment } from '../contract.ts'
import type { ErrorCode } from '../../kit/errors.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { box, film, picture } from '../../testing/pictures.ts'
import { formOf, formType, sendForm, upload, uploaded } from '../../testing/uploads.ts'

const t = testApp()
const tester = signedUp(t, 'TESTER')
const megabyte = 1_048_576

const left = async () => {
  const entries = await readdir(t.dataDir, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile() && /attachments|incoming/.test(entry.parentPath))
  return { files: files.map(({ name }) => name), rows: await t.look('select id from attachments') }
}
afterEach(async () => {
  const { rows } = await left()
  for (const { id } of rows as { id: string }[]) await tester.call('DELETE', `/attachments/${id}`)
  expect(await left()).toEqual({ files: [], rows: [] })
})

const expectRefused = async (
  reply: Awaited<ReturnType<typeof upload>>,
  [status, code, message]: readonly [number, ErrorCode, RegExp],
) => {
  expect({ status: reply.status, ...reply.body }).toMatchObject({ status, code })
  expect(reply.body.message).toMatch(message)
  expect(reply.body.message).toMatch(/^[A-Z].{15,}\.$/)
  expect(await left()).toEqual({ files: [], rows: [] })
}

const notOneOfThem = [415, 'UNSUPPORTED_MEDIA_TYPE', /not a PNG, JPEG, WebP or MP4/] as const
const damaged = [400, 'INVALID_INPUT', /damaged/] as const
const damagedVideo = [400, 'INVALID_INPUT', /video is damaged/] as const
const tooManyPixels = [400, 'INVALID_INPUT', /at most 40 megapixels/] as const
const notOneFile = [400, 'INVALID_INPUT', /Send one file, in the field "file", and nothing else/] as const
const notWhole = [400, 'INVALID_INPUT', /upload was cut off/] as const

/** A PNG that claims this size, with rows that compress to almost nothing. */
const claimedPng = (width: number, height: number, rows = 10) => {
  const chunk = (type: string, content: Buffer) => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(content.length)
    const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([head, named, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((width * 3 + 1) * rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('judged by its bytes, whatever its name', () => {
  test.each<[string, string, string, Buffer | string]>([
    ['a page under an image’s name', 'cat.png', 'image/png', '<!doctype html><script>alert(1)</script>'],
    [
      'a script in SVG',
      'cat.svg',
      'image/svg+xml',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    ],
    ['SVG under an image’s name', 'cat.png', 'image/png', '<?xml version="1.0"?><svg onload="alert(1)"/>'],
    ['a GIF', 'cat.gif', 'image/gif', Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64')],
    ['a ZIP', 'cat.jpg', 'image/jpeg', Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(5000)])],
    ['a program', 'cat.png', 'image/png', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(5000)])],
    ['a PDF', 'cat.webp', 'image/webp', '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj'],
    [
      'a QuickTime film',
      'cat.mp4',
      'video/mp4',
      Buffer.concat([box('ftyp', 'qt  ', Buffer.alloc(4)), Buffer.alloc(5000)]),
    ],
    ['text', 'cat.png', 'image/png', 'hello'],
  ])('%s is refused', async (_what, filename, type, bytes) => {
    await expectRefused(await upload(t, tester, bytes, { filename, type }), notOneOfThem)
  })

  test('an image under another type’s name is kept as what it is', async () => {
    const { body } = await upload(t, tester, await picture({ format: 'jpeg' }), {
      filename: 'x.png',
      type: 'image/png',
    })
    expect(body.type).toBe('image/jpeg')
  })

  test.each([
    '../../../../etc/cron.d/evil.png',
    '/etc/passwd',
    String.raw`..\..\evil.png`,
    'a\u0000b.png',
    // No id is that long.
    `${'z'.repeat(300)}.png`,
    '.htaccess',
  ])('the name %j is ignored: we name the files ourselves', async filename => {
    const { status, body } = await upload(t, tester, await picture(), { filename })
    expect(status).toBe(201)
    expect((await left()).files.toSorted()).toEqual([body.id, `${body.id}.preview`])
    expect(JSON.stringify(body)).not.toMatch(/evil|passwd|htaccess|zzz/)
  })
})

describe('size', () => {
  test('0 bytes are refused', async () => {
    await expectRefused(await upload(t, tester, ''), [400, 'INVALID_INPUT', /empty/])
  })

  test('an image of more than 10 MB is refused, and one of 10 MB is not refused for that', async () => {
    const tooLarge = [413, 'PAYLOAD_TOO_LARGE', /at most 10 MB/] as const
    const image = await picture()
    const padded = (bytes: number) => Buffer.concat([image, Buffer.alloc(bytes - image.length)])
    await expectRefused(await upload(t, tester, padded(11_000_000)), tooLarge)
    await expectRefused(await upload(t, tester, padded(10 * megabyte + 1)), tooLarge)
    expect((await upload(t, tester, padded(10 * megabyte))).status).toBe(201)
  })

  test('a video may have 50 MB, and nothing more', async () => {
    const { length } = film({ samples: 0 })
    await expectRefused(await upload(t, tester, film({ samples: 50 * megabyte - length + 1 })), [
      413,
      'PAYLOAD_TOO_LARGE',
      /too large: at most 50 MB/,
    ])
    expect((await upload(t, tester, film({ samples: 50 * megabyte - length }))).status).toBe(201)
  })

  test('30,000 × 30,000 pixels in a small file are refused before they are decoded', async () => {
    await expectRefused(await upload(t, tester, claimedPng(30_000, 30_000)), tooManyPixels)
    await expectRefused(await upload(t, tester, claimedPng(40_000_001, 1, 1)), tooManyPixels)
  })

  test('an image that expands a thousandfold is cut off, and the server continues', async () => {
    // 40 megapixels in about 120 kB.
    const bomb = claimedPng(8000, 5000, 5000)
    expect(bomb.length).toBeLessThan(200_000)
    await expectRefused(await upload(t, tester, claimedPng(8000, 5001, 5001)), tooManyPixels)
    expect((await upload(t, tester, bomb)).body).toMatchObject({ width: 8000, height: 5000 })
  })
})

describe('what an image contains besides its pixels', () => {
  test('location, device, comments and profiles are removed, and the image is upright', async () => {
    const { default: sharp } = await import('sharp')
    const photo = await sharp(await picture({ width: 30, height: 20, format: 'jpeg' }))
      .withExif({
        IFD0: { Make: 'SpyPhone', Copyright: 'Jane Doe' },
        IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLongitude: '13/1 24/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Jane Doe</x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    expect((await sharp(photo).metadata()).exif?.length).toBeGreaterThan(50)
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const sent = await sharp(photo).keepMetadata().toFormat(format).toBuffer()
      const { id } = await uploaded(t, tester, sent)
      for (const path of [id, `${id}/preview`]) {
        const kept = (await readFile(path)).rawPayload
        const { exif, xmp, icc, iptc, orientation, width, height } = await sharp(kept).metadata()
        expect({ exif, xmp, icc, iptc, orientation }).toEqual({})
        expect([width, height]).toEqual([20, 30])
        expect(kept.toString('latin1')).not.toMatch(/SpyPhone|Jane Doe|GPS|Exif/)
      }
    }
  })

  test.each(['png', 'jpeg', 'webp'] as const)(
    'a %s followed by a page or an archive loses everything but the picture',
    async format => {
      const image = await picture({ format })
      const polyglot = Buffer.concat([image, Buffer.from('<script>alert(1)</script>PK\u0003\u0004evil')])
      const { status, body } = await upload(t, tester, polyglot)
      // If it was accepted, it has been cleaned.
      if (status === 201) expect((await readFile(body.id)).payload).not.toMatch(/script|evil/)
      else expect(status).toBe(400)
    },
  )

  test.each(['png', 'jpeg', 'webp'] as const)('half a %s is refused', async format => {
    const { default: sharp } = await import('sharp')
    const noise = await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: 'white',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .toFormat(format)
      .toBuffer()
    await expectRefused(await upload(t, tester, noise.subarray(0, noise.length / 2)), damaged)
  })
})

describe('an MP4', () => {
  test('has its metadata overwritten at every level, and not a byte moved', async () => {
    const secrets = ['udta', 'meta', 'uuid', 'free', 'XMP_'].map(type => box(type, 'secret +52.5+013.4/ Jane Doe'))
    const { id, bytes } = await uploaded(t, tester, film({ extra: secrets }))
    const kept = (await readFile(id)).rawPayload
    expect([bytes, kept.length]).toEqual([film({ extra: secrets }).length, film({ extra: secrets }).length])
    const text = kept.toString('latin1')
    // Only the box among the codec's own boxes is left, since it is none of the three types.
    expect(text.match(/secret/g)?.length).toBe(1)
    expect(text).not.toMatch(/udta|meta|uuid/)
    expect(kept.subarray(-100).equals(Buffer.alloc(100, 7))).toBe(true)
    expect(kept.indexOf('avcC')).toBe(film({ extra: secrets }).indexOf('avcC'))
  })

  const whole = film()
  test.each<[string, Buffer]>([
    ['cut off', whole.subarray(0, whole.length - 10)],
    ['with something behind it', Buffer.concat([whole, Buffer.from('<script>')])],
    [
      'with a box larger than its parent',
      Buffer.from(
        whole.toString('latin1').replace('\u0000\u0000\u0000\u005ctkhd', '\u0000\u0000\u0010\u005ctkhd'),
        'latin1',
      ),
    ],
    [
      'with a box of no size',
      Buffer.from(
        whole.toString('latin1').replace('\u0000\u0000\u0000\u005ctkhd', '\u0000\u0000\u0000\u0000tkhd'),
        'latin1',
      ),
    ],
    [
      'without a track',
      Buffer.concat([box('ftyp', 'isom', Buffer.alloc(4), 'isommp42'), box('moov'), box('mdat', Buffer.alloc(9))]),
    ],
    [
      'without a movie',
      Buffer.concat([box('ftyp', 'isom', Buffer.alloc(4), 'isommp42'), box('mdat', Buffer.alloc(9))]),
    ],
    [
      'that is a page',
      Buffer.concat([box('ftyp', 'isom', Buffer.alloc(4), 'isommp42'), Buffer.from('<html>'.repeat(99))]),
    ],
    [
      'of boxes within boxes',
      Buffer.concat([
        whole,
        box(
          'moof',
          Array.from({ length: 40 }).reduce<Buffer>(inner => box('traf', inner), Buffer.alloc(0)),
        ),
      ]),
    ],
  ])('%s is refused', async (_how, bytes) => {
    expect(bytes.equals(whole)).toBe(false)
    await expectRefused(await upload(t, tester, bytes), damagedVideo)
  })
})

describe('the form', () => {
  test('with two files, another field or another name is refused', async () => {
    const bytes = await picture()
    for (const parts of [
      [{ bytes }, { bytes }],
      [{ bytes }, { name: 'note', filename: null, bytes: 'hello' }],
      [{ name: 'note', filename: null, bytes: 'hello' }, { bytes }],
      [{ name: 'picture', bytes }],
      [{ name: '__proto__', bytes }],
      [{ name: 'file', filename: null, bytes: 'text' }],
      [],
    ]) {
      await expectRefused(await sendForm(t, tester, formOf(parts)), notOneFile)
    }
  })

  test('that breaks off is refused', async () => {
    const form = formOf([{ bytes: await picture({ width: 500, height: 500 }) }])
    for (const share of [0.01, 0.5, 0.99]) {
      const reply = await sendForm(t, tester, form.subarray(0, Math.floor(form.length * share)))
      expect([share, reply.status, reply.body.code]).toEqual([share, 400, 'INVALID_INPUT'])
      expect(reply.body.message).toMatch(/upload was cut off|Send one file/)
    }
    await expectRefused(await sendForm(t, tester, form.subarray(0, form.length - 30)), notWhole)
  })

  test.each(['application/json', 'multipart/form-data', 'multipart/mixed; boundary=x', 'image/png', 'text/plain'])(
    'of the type %s is refused',
    async type => {
      const reply = await sendForm(t, tester, await picture(), type)
      expect([reply.status, reply.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
      expect(reply.body.message).toBe('Send the file as multipart/form-data, in the field "file".')
      expect(await left()).toEqual({ files: [], rows: [] })
    },
  )

  test('of a stranger is not read', async () => {
    const reply = await t.app.inject({
      method: 'POST',
      url: '/api/v1/attachments',
      headers: { 'content-type': formType },
      payload: formOf([{ bytes: await picture() }]),
    })
    expect(reply.statusCode).toBe(401)
  })
})

describe('over the wire', () => {
  let port = 0
  beforeAll(async () => {
    port = Number(new URL(await t.app.listen({ port: 0, host: '127.0.0.1' })).port)
  })
  const begin = async (length: number): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    await new Promise(resolve => socket.once('connect', resolve))
    socket.write(
      `POST /api/v1/attachments HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tester.accessToken}\r\ncontent-type: ${formType}\r\ncontent-length: ${length}\r\n\r\n`,
    )
    return socket
  }
  const answerOf = async (socket: Socket): Promise<string> => {
    let text = ''
    for await (const chunk of socket) {
      text += String(chunk)
      if (text.includes('}')) break
    }
    return text
  }

  test('a caller who disconnects midway leaves nothing behind', async () => {
    const form = formOf([{ bytes: film({ samples: 3_000_000 }) }])
    const socket = await begin(form.length)
    await new Promise(resolve => socket.write(form.subarray(0, 1_000_000), resolve))
    socket.destroy()
    // Retries until the place of the broken upload, one of four per user, is free again.
    for (let free = false; !free;) {
      const replies = await Promise.all(Array.from({ length: 4 }, async () => upload(t, tester, await picture())))
      free = replies.every(({ status }) => status === 201)
    }
    const { files, rows } = await left()
    expect(files.length).toBe(rows.length * 2)
  })

  test('a body that declares itself too long is refused before it is sent', async () => {
    const socket = await begin(60 * megabyte)
    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 413 [\s\S]*at most 50 MB/)
    socket.destroy()
  })

  test('a complete form is accepted', async () => {
    const form = formOf([{ bytes: film({ samples: 3_000_000 }) }])
    const socket = await begin(form.length)
    socket.write(form)
    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 201 [\s\S]*video\/mp4/)
    socket.destroy()
  })
})

const readFile = (path: string) =>
  t.app.inject({
    method: 'GET',
    url: `/api/v1/attachments/${path}`,
    headers: { authorization: `Bearer ${tester.accessToken}` },
  })

test('stored files can be read completely', async () => {
  const { id, bytes }: Attachment = await uploaded(t, tester, await picture({ width: 800, height: 800 }))
  expect((await readFile(id)).rawPayload.length).toBe(bytes)
})
