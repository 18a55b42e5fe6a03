/**
 * What no value from outside may contain: NUL, which PostgreSQL cannot store (22021, in jsonb 22P05); lone surrogates, which
 * would silently become U+FFFD; and nesting so deep that walking it overflows the stack. All are refused at the edge, in every
 * part of every request.
 */
const maxDepth = 20

export const hostileMessages = {
  text: 'Text may not contain NUL characters or broken Unicode.',
  depth: `Lists and objects may be at most ${maxDepth} levels deep.`,
} as const

/** `path` is dotted, and '' for the value itself. */
type Hostile = { path: string; why: keyof typeof hostileMessages }

/** The first text or key that cannot be stored, the first value that is nested too deep, or null. */
export const hostileIn = (value: unknown, path = '', depth = 0): Hostile | null => {
  if (typeof value === 'string') return isStorable(value) ? null : { path, why: 'text' }
  if (typeof value !== 'object' || value === null) return null
  if (depth === maxDepth) return { path, why: 'depth' }
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return { path, why: 'text' }
    const found = hostileIn(inner, path === '' ? key : `${path}.${key}`, depth + 1)
    if (found !== null) return found
  }
  return null
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()
