/**
 * The log of a series at the backups' place: one file for each complete segment, and the pieces so far of the segment being
 * written, named by their offset. A piece is written in every second with activity.
 */
import { segmentName, segmentNumber } from './bases.ts'
import type { LogPiece } from './replication.ts'
import { Unreadable } from './sealing.ts'
import type { Vault } from './vault.ts'

const folderOf = (series: string) => `log/${series}`
const untilName = (series: string) => `log/${series}/until`

const pieceName = (segment: string, at: number) => `${segment}.${at.toString(16).padStart(8, '0')}`

const segmentOf = (piece: string) => piece.slice(0, piece.lastIndexOf('.'))

export type LogWriter = {
  add: (piece: LogPiece) => Promise<void>
  /** Resolves once everything added so far is stored, with the position up to which it is. */
  flush: () => Promise<bigint>
  /** Resolves once nothing is being removed any more. */
  end: () => Promise<void>
}

const removedAtOnce = 4

/**
 * Removes pieces that a complete segment has replaced, while the log continues. What is left at the end, the next writer removes.
 */
const remover = (vault: Vault, onError: (error: unknown) => void) => {
  let waiting: string[] = []
  const working = new Set<Promise<void>>()
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) await vault.remove(name)
  }
  const begin = () => {
    const one: Promise<void> = work()
      .catch((error: unknown) => {
        // Reports an unreachable place once, and not for each piece.
        waiting = []
        onError(error)
      })
      .finally(() => working.delete(one))
    working.add(one)
  }
  return {
    add: (names: readonly string[]) => {
      waiting.push(...names)
      while (working.size < Math.min(removedAtOnce, waiting.length)) begin()
    },
    end: async () => {
      waiting = []
      await Promise.all(working)
    },
  }
}

/** `from` is the beginning of a segment. */
export const logWriter = async (
  vault: Vault,
  series: string,
  { timeline, segmentBytes, from }: { timeline: number; segmentBytes: number; from: bigint },
  onError: (error: unknown) => void,
): Promise<LogWriter> => {
  const size = BigInt(segmentBytes)
  let start = from
  let held = Buffer.alloc(segmentBytes)
  let length = 0
  let kept = 0
  const nameNow = () => `${folderOf(series)}/${segmentName(timeline, start, segmentBytes)}`
  // Written by an earlier run; the bytes are the same.
  const found = (await vault.list(folderOf(series))).map(({ name }) => name)
  const whole = new Set(found)
  const replaced = remover(vault, onError)
  replaced.add(found.filter(name => name.includes('.') && whole.has(segmentOf(name))))
  let pieces = found.filter(name => name.includes('.') && !whole.has(segmentOf(name)))

  const writePiece = async () => {
    if (kept === length) return
    const name = pieceName(nameNow(), kept)
    await vault.write(name, [held.subarray(kept, length)])
    pieces.push(name)
    kept = length
  }
  const writeSegment = async () => {
    await vault.write(nameNow(), [held])
    const segment = nameNow()
    replaced.add(pieces.filter(name => segmentOf(name) === segment))
    pieces = pieces.filter(name => segmentOf(name) !== segment)
    start += size
    held = Buffer.alloc(segmentBytes)
    length = 0
    kept = 0
  }
  return {
    add: async ({ at, bytes }) => {
      if (at !== start + BigInt(length)) throw new Error('PostgreSQL left a gap in its log.')
      for (let left = bytes; left.length > 0;) {
        const copied = left.copy(held, length)
        length += copied
        left = left.subarray(copied)
        if (length === segmentBytes) await writeSegment()
      }
    },
    flush: async () => {
      await writePiece()
      return start + BigInt(length)
    },
    end: replaced.end,
  }
}

/** Notes that everything committed before `until` has been sent. */
export const writeUntil = (vault: Vault, series: string, until: string): Promise<void> =>
  vault.write(untilName(series), [Buffer.from(until)])

export const readUntil = async (vault: Vault, series: string): Promise<string | null> => {
  const listed = await vault.list(folderOf(series))
  return listed.some(({ name }) => name === untilName(series))
    ? (await vault.readWhole(untilName(series))).toString()
    : null
}

/** Segments by name, each with its pieces in order; a complete segment has none. */
export const segmentsOf = async (vault: Vault, series: string): Promise<Map<string, string[]>> => {
  const segments = new Map<string, string[]>()
  for (const { name } of await vault.list(folderOf(series))) {
    const [, segment = '', piece] = /\/([0-9A-F]{24})(\.[0-9a-f]{8})?$/.exec(name) ?? []
    if (segment === '') continue
    if (piece === undefined) segments.set(segment, [])
    else if (segments.get(segment)?.length !== 0) segments.set(segment, [...(segments.get(segment) ?? []), name])
  }
  return segments
}

/** A segment as PostgreSQL reads it, filled up with zeros. */
export const readSegment = async (
  vault: Vault,
  series: string,
  segment: string,
  pieces: readonly string[],
  segmentBytes: number,
): Promise<Buffer> => {
  const readWhole = () => vault.readWhole(`${folderOf(series)}/${segment}`)
  if (pieces.length === 0) return readWhole()
  try {
    return await joined(vault, segment, pieces, segmentBytes)
  } catch (error) {
    // A server may have completed the segment since we listed it, and removed its pieces.
    if ((await segmentsOf(vault, series)).get(segment)?.length === 0) return readWhole()
    throw error
  }
}

const joined = async (vault: Vault, segment: string, pieces: readonly string[], segmentBytes: number) => {
  const whole = Buffer.alloc(segmentBytes)
  let end = 0
  for (const name of pieces) {
    const at = Number.parseInt(name.slice(-8), 16)
    if (at > end) throw new Unreadable(`A part of ${segment} is missing from the backups.`)
    const piece = await vault.readWhole(name)
    piece.copy(whole, at)
    end = Math.max(end, at + piece.length)
  }
  return whole
}

/** Deletes log that no kept base backup needs: everything before `first`, or all of it. */
export const forgetLog = async (
  vault: Vault,
  series: string,
  first: { segment: bigint; segmentBytes: number } | null,
): Promise<void> => {
  for (const { name } of await vault.list(folderOf(series))) {
    const [, segment] = /\/([0-9A-F]{24})(?:\.[0-9a-f]{8})?$/.exec(name) ?? []
    const old = first && segment !== undefined && segmentNumber(segment, first.segmentBytes) < first.segment
    if (!first || old) await vault.remove(name)
  }
}
