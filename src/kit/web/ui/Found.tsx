import { useState } from 'react'

/** What a search, filters or a page (`by`) have found, in words (foundWords.ts). */
export type Search<T> = { words: (loaded: T) => string; by: unknown }

type Said = { by: string; words: string }

/**
 * What a search or filter has found, once for each of them: not on arrival, not before the list has loaded, and not when rows come
 * and go by themselves.
 */
export const useFound = <T,>(found: Search<T> | undefined, loaded: T | undefined, isFetching: boolean): Said => {
  const by = JSON.stringify(found?.by)
  const [said, setSaid] = useState({ by, words: '' })
  if (found && loaded !== undefined && !isFetching && said.by !== by) setSaid({ by, words: found.words(loaded) })
  return said
}

/** A new element each time, so that the same words are announced again. */
export const Announced = ({ of: { by, words } }: { of: Said }) => (
  <p role="status" className="sr-only">
    <span key={by}>{words}</span>
  </p>
)
