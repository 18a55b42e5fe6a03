import { hashKey, partialMatchKey, type QueryKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { bugKeys } from './keys.ts'

/** Ids or titles that read like the names of other queries. */
const words = ['one', 'of-campaign', 'similar', 'undecided', 'choices', 'c1']

const asked: Record<string, QueryKey[]> = {
  one: words.map(bugKeys.one),
  ofCampaign: words.map(id => bugKeys.ofCampaign(id, null)),
  similar: words.flatMap(id => words.map(title => bugKeys.similar(id, title))),
  undecided: words.map(bugKeys.undecided),
  choices: words.flatMap(id => words.map(search => bugKeys.choices(id, search))),
}

test.each(Object.keys(asked))('no other query’s key matches that of "%s", whatever its parameters', name => {
  const others = Object.entries(asked).flatMap(([other, keys]) => (other === name ? [] : keys))
  for (const key of asked[name]!)
    expect(others.filter(other => partialMatchKey(other, key)).map(other => hashKey(other))).toEqual([])
})
