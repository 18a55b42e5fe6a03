/** Changes of a text by offsets. */

/** Replaces the characters from `start` up to `end`; an insertion when both are the same. */
export type Edit = { start: number; end: number; text: string }

/** All of `edits`, which do not overlap; of two at one place the first stays first. */
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
