/**
 * MP4 files (ISO/IEC 14496-12) are trees of boxes. Boxes with metadata – where and with what a film was made, and whatever programs
 * add – are overwritten in place, so that nothing else moves. A file is refused unless its boxes fit into each other to the byte.
 */
import type { FileHandle } from 'node:fs/promises'

/**
 * Overwritten at every level. What remains is a box of zeros, which players skip. Boxes that others left empty are overwritten as
 * well.
 */
const metadata = new Set(['udta', 'meta', 'uuid', 'free', 'skip', 'wide'])

/** In these places programs put boxes of their own, so all boxes but these are overwritten too. */
const expected: Record<string, Set<string>> = {
  '': new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'mfra', 'sidx', 'ssix', 'pdin']),
  moov: new Set(['mvhd', 'trak', 'mvex', 'iods']),
  trak: new Set(['tkhd', 'tref', 'edts', 'mdia', 'tapt', 'trgr']),
}

/** Boxes that contain boxes, and how many bytes precede those. */
const containers: Record<string, number> = {
  ...Object.fromEntries(
    ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'dinf', 'mvex', 'moof', 'traf', 'mfra'].map(type => [type, 0]),
  ),
  // Version, flags and a count.
  stsd: 8,
  dref: 8,
  ...Object.fromEntries(
    ['avc1', 'avc3', 'hvc1', 'hev1', 'av01', 'vp08', 'vp09', 'mp4v', 'encv'].map(type => [type, 78]),
  ),
  ...Object.fromEntries(['mp4a', 'ac-3', 'ec-3', 'Opus', 'fLaC', 'samr', 'sawb', 'enca'].map(type => [type, 28])),
}

const maxBoxes = 100_000
const maxDepth = 16
const zeros = Buffer.alloc(65_536)

class NotAnMp4 extends Error {}

type Box = { type: string; at: number; contentAt: number; end: number }

const boxAt = async (handle: FileHandle, at: number, end: number, isTop: boolean): Promise<Box> => {
  if (end - at < 8) throw new NotAnMp4('no room for a box')
  const { buffer: head } = await handle.read(Buffer.alloc(16), { position: at })
  const type = head.toString('latin1', 4, 8)
  const size32 = head.readUInt32BE(0)
  // 1: a 64-bit size follows; 0: the box extends to the end of the file.
  const headBytes = size32 === 1 ? 16 : 8
  const size = size32 === 1 ? Number(head.readBigUInt64BE(8)) : size32 === 0 && isTop ? end - at : size32
  if (size < headBytes || at + size > end) throw new NotAnMp4(`a box ${type} of ${size} bytes`)
  return { type, at, contentAt: at + headBytes, end: at + size }
}

const overwrite = async (handle: FileHandle, { at, contentAt, end }: Box) => {
  await handle.write('free', at + 4, 'latin1')
  for (let from = contentAt; from < end; from += zeros.length)
    await handle.write(zeros, 0, Math.min(zeros.length, end - from), from)
}

/** QuickTime adds further fields to an audio sample, depending on its version. */
const fieldsOf = async (handle: FileHandle, { contentAt, end }: Box, fields: number) => {
  if (fields !== 28 || end - contentAt < 28) return fields
  const { buffer } = await handle.read(Buffer.alloc(2), { position: contentAt + 8 })
  return fields + ([0, 16, 36][buffer.readUInt16BE(0)] ?? 0)
}

/** Overwrites the file's metadata in place. Returns false if it is not an MP4 with a film in it. */
export const cleanMp4 = async (handle: FileHandle, length: number): Promise<boolean> => {
  const seen = new Set<string>()
  let boxes = 0
  const walk = async (parent: string, from: number, end: number, depth: number): Promise<void> => {
    for (let at = from; at < end;) {
      if (++boxes > maxBoxes || depth > maxDepth) throw new NotAnMp4('too many boxes')
      // QuickTime ends some lists with a zero.
      if (depth > 0 && end - at === 4) return
      const box = await boxAt(handle, at, end, depth === 0)
      if (at === 0 && box.type !== 'ftyp') throw new NotAnMp4('it does not begin with its type')
      seen.add(box.type)
      const fields = containers[box.type]
      if (metadata.has(box.type) || expected[parent]?.has(box.type) === false) await overwrite(handle, box)
      else if (fields !== undefined)
        await walk(box.type, box.contentAt + (await fieldsOf(handle, box, fields)), box.end, depth + 1)
      at = box.end
    }
  }
  try {
    await walk('', 0, length, 0)
  } catch (error) {
    if (error instanceof NotAnMp4) return false
    throw error
  }
  return ['moov', 'trak', 'mdat'].every(type => seen.has(type))
}
