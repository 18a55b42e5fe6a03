/**
 * What no text from outside may contain: NUL, which PostgreSQL cannot store (22021, in jsonb 22P05), and lone surrogates,
 * which would silently become U+FFFD. Refused at the edge, in every string of every request.
 */
const maxDepth = 20

/** The dotted path of the first string (or key) that cannot be stored, '' for the value itself, or null. */
export const unstorableText = (value: unknown, path = '', depth = 0): string | null => {
  if (typeof value === 'string') return isStorable(value) ? null : path
  if (typeof value !== 'object' || value === null) return null
  if (depth === maxDepth) return path
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return path
    const found = unstorableText(inner, path === '' ? key : `${path}.${key}`, depth + 1)
    if (found !== null) return found
  }
  return null
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()
