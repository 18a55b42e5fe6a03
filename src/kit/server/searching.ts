/**
 * Searches for part of a text, in any case and through an index however short the words are (decision 029): trigrams serve three
 * letters or digits in a row, letter pairs anything less. A searched text has both indexes: `gin (text gin_trgm_ops)` and `gin
 * (letter_pairs(text))`, neither of them partial, because plans go by their statistics.
 */
import { join, sql, type Tx } from './db.ts'
import { expectedRows } from './estimates.ts'
import { containing } from './like.ts'

type Sql = ReturnType<typeof sql>

type Searched = {
  /** The table, with the alias that `text` uses. */
  from: Sql
  /** In lower case, as in both indexes. */
  text: Sql
}

/** Two equivalent conditions: one for finding the newest rows, one for counting all rows. */
type Search = { found: Sql; counted: Sql }

const everything: Search = { found: sql`true`, counted: sql`true` }

/**
 * With more hits than this, the newest are found sooner in the list's own order than through an index of the words. It is below
 * the number from which PostgreSQL would walk the list anyway, but work out the pairs of each row as it goes.
 */
const frequent = 2_000
/** With more hits than this, counting up to 10,000 of them is faster in that way, too. */
const veryFrequent = 200_000

/** Statements with these conditions have to be planned each time, because the best plan depends on the words. */
export const searchFor = async (tx: Tx, { from, text }: Searched, words: string | undefined): Promise<Search> => {
  if (!words) return everything
  const like = isSpelledOnce(words) ? sql`${text} like lower(${containing(words)})` : sql`${text} ~ ${patternOf(words)}`
  if (/[a-z\d]{3}/i.test(words)) return { found: like, counted: like }
  const paired = pairedWith(text, words)
  // Not "like": no index serves this condition, so the list is read in its order. PostgreSQL keeps no statistics of long texts
  // and assumes that any "like" is rare (seen on 300,000 campaigns: all of them were read for one letter).
  const walked = saying(text, words)
  const gathered = Array.from(words).length > 2 || /\s/.test(words) ? sql`${paired} and ${walked}` : paired
  const expected = await expectedRows(tx, sql`select from ${from} where ${paired}`)
  return {
    found: expected > frequent ? walked : gathered,
    counted: expected > veryFrequent ? walked : gathered,
  }
}

/** Whether the text contains the words, without an index; for searches that look at few texts. */
export const saying = (text: Sql, words: string): Sql =>
  isSpelledOnce(words) ? sql`position(lower(${words}) in ${text}) > 0` : sql`regexp_like(${text}, ${patternOf(words)})`

/**
 * False for words with more than one spelling: sigma is written ς at the end of a word while PostgreSQL lowers its capital to σ,
 * and words searched for on one line may be on several.
 */
const isSpelledOnce = (words: string) => !/[σςΣ\s]/u.test(words)

const patternOf = (words: string): Sql => {
  const escaped = words.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
  return sql`lower(${escaped.replaceAll(/[σςΣ]/gu, '[σς]').replaceAll(/\s+/g, '[[:space:]]+')})`
}

/** All pairs of the words are in the text. PostgreSQL lowers them, as it lowered the text. */
const pairedWith = (text: Sql, words: string): Sql => {
  const letters = Array.from(words)
  const neighbors = letters.length === 1 ? letters : letters.slice(1).map((letter, at) => letters[at]! + letter)
  // Next to a space, the letter alone: the index has single letters as well as pairs.
  const pairs = neighbors.map(pair => pair.replaceAll(/\s/g, '')).filter(pair => pair !== '')
  const once = pairs.filter(isSpelledOnce)
  const others = pairs.filter(pair => !isSpelledOnce(pair))
  const inText = sql`letter_pairs(${text})`
  const conditions = [
    ...(once.length > 0 ? [sql`${inText} @> array[${join(once.map(lowered))}]`] : []),
    ...others.map(pair => sql`${inText} && array[${join(spellingsOf(pair).map(lowered))}]`),
  ]
  // Spaces alone are in nearly every text.
  return conditions.length > 0 ? join(conditions, ' and ') : sql`true`
}

const lowered = (pair: string): Sql => sql`lower(${pair})`

const spellingsOf = (pair: string): string[] =>
  Array.from(pair).reduce<string[]>(
    (all, letter) => all.flatMap(start => (/[σςΣ]/u.test(letter) ? ['σ', 'ς'] : [letter]).map(each => start + each)),
    [''],
  )
