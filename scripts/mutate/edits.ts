/** Edits a text by offsets. */

/** Replaces the characters from `start` up to `end`; inserts if both are the same. */
export type Edit = { start: number; end: number; text: string }

/** Applies all edits, which do not overlap; edits at the same place keep their order. */
export const applyEdits = (source: string, edits: readonly Edit[]): string => {
  let result = ''
  let at = 0
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < at) throw new RangeError(`edits overlap at ${start}`)
    result += source.slice(at, start) + text
    at = end
  }
  return result + source.slice(at)
}

export const lineAt = (source: string, offset: number): number => source.slice(0, offset).split('\n').length
