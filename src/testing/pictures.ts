/** Pictures and films for tests. */

type Look = { width?: number; height?: number; color?: string; format?: 'png' | 'jpeg' | 'webp' }

export const picture = async ({
  width = 40,
  height = 60,
  color = '#3366cc',
  format = 'png',
}: Look = {}): Promise<Buffer> => {
  const { default: sharp } = await import('sharp')
  return sharp({ create: { width, height, channels: 3, background: color } })
    .toFormat(format)
    .toBuffer()
}

/** A picture of bright and dark squares, different for each `seed`. */
export const scene = async (
  seed: number,
  { width = 360, height = 640, format = 'png' }: Look = {},
): Promise<Buffer> => {
  const { default: sharp } = await import('sharp')
  const squares = Uint8Array.from({ length: 9 * 8 }, (_, place) => ((place + 1) * (seed * 2 + 37) * 101) % 256)
  return sharp(squares, { raw: { width: 9, height: 8, channels: 1 } })
    .resize(width, height, { fit: 'fill', kernel: 'nearest' })
    .toFormat(format)
    .toBuffer()
}

export const box = (type: string, ...content: (Uint8Array | string)[]): Buffer => {
  const body = Buffer.concat(content.map(part => Buffer.from(part as Uint8Array)))
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** The boxes of a film without any images; `extra` is put into the track, the movie and the top level. */
export const film = ({ extra = [] as Uint8Array[], samples = 100 } = {}): Buffer => {
  const full = (type: string, bytes: number) => box(type, Buffer.alloc(bytes))
  const stbl = box(
    'stbl',
    box('stsd', Buffer.alloc(8), box('avc1', Buffer.alloc(78), box('avcC', Buffer.alloc(7)), ...extra)),
    full('stts', 8),
  )
  const mdia = box('mdia', full('mdhd', 24), full('hdlr', 25), box('minf', full('vmhd', 12), stbl))
  const trak = box('trak', full('tkhd', 84), mdia, ...extra)
  return Buffer.concat([
    box('ftyp', 'isom', Buffer.alloc(4), 'isommp42'),
    box('moov', full('mvhd', 100), trak, ...extra),
    ...extra,
    box('mdat', Buffer.alloc(samples, 7)),
  ])
}
