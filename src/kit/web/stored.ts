/** Values in local storage, which may be full or forbidden: then nothing is stored, and nothing fails. */
export const keepStored = (key: string, value: object): void => {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // The page works without it.
  }
}

export const dropStored = (key: string): void => {
  try {
    localStorage.removeItem(key)
  } catch {
    // Nothing is stored then.
  }
}

/**
 * Reads a value from local storage, without zod because first screens use it. A property whose type differs from that in `model`
 * gets the model's value; lists contain strings. NaN, from an emptied number field, stays NaN, for which JSON has null. Null if
 * nothing is stored.
 */
export const readStored = <T extends object>(key: string, model: T): T | null => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isRecord(kept) ? fitted(model, kept) : null
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fitted = <T>(model: T, kept: unknown): T => {
  if (Array.isArray(model)) return (Array.isArray(kept) ? kept.filter(item => typeof item === 'string') : model) as T
  if (typeof model === 'number' && kept === null) return Number.NaN as T
  if (!isRecord(model)) return typeof kept === typeof model ? (kept as T) : model
  const parts = isRecord(kept) ? kept : {}
  return Object.fromEntries(Object.entries(model).map(([name, part]) => [name, fitted(part, parts[name])])) as T
}
