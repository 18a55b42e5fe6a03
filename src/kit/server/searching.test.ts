/** For whatever is searched, the indexes find every text that contains it; tested on a table of its own. */
import { beforeAll, expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { autocommit, planEachTime, sql } from './db.ts'
import { searchFor } from './searching.ts'

const t = testApp()

const texts = [
  'Zoë Ångström zoe@lab.example.test',
  '100% Real_Name\\ percent@example.test',
  'Иван Петров ivan@example.test',
  '王伟 wei@example.test',
  'Al Xu q@x.test',
  'a',
  '',
  'line\nbreak',
  '😀 smiles',
  'ΣΊΣΥΦΟΣ rolls',
  'ο σίσυφος again',
]

beforeAll(async () => {
  await t.look(`create table phrases (words text not null)`)
  await t.look(`create index phrases_search on phrases using gin (lower(words) gin_trgm_ops)`)
  await t.look(`create index phrases_pairs on phrases using gin (letter_pairs(lower(words)))`)
  for (const text of texts) await t.look('insert into phrases values ($1)', [text])
  await t.look(`insert into phrases select 'filler ' || n from generate_series(1, 3000) n`)
  await t.look('analyze phrases')
})

const wanted = [
  'Z',
  'zo',
  'OË',
  'xu',
  'x',
  '@',
  '%',
  '_n',
  '\\',
  'e_',
  '王',
  '王伟',
  'иван',
  'В',
  '@x',
  'l x',
  '.te',
  'n\nb',
  '😀',
  'σίσυφος',
  'ΣΊΣΥΦΟΣ',
  'φοσ',
  'ος',
  'ς',
  'Σ',
  'e b',
  'ς a',
]

/** The text in one line, with one form of the small sigma. */
const spelled = (text: string) => text.toLowerCase().replaceAll('ς', 'σ').replaceAll(/\s+/g, ' ')

test.each([...wanted, 'qz', '%%', 'real-name', 'ill', 'zoë å', 'filler 29', 'line break', 'σίσυφοσ rolls'])(
  '%j',
  async words => {
    const { found, counted } = await searchFor(autocommit, { from: sql`phrases`, text: sql`lower(words)` }, words)
    const inAll = [...texts, ...Array.from({ length: 3000 }, (_, n) => `filler ${n + 1}`)]
    const expected = inAll.filter(text => spelled(text).includes(spelled(words))).toSorted()
    for (const condition of [found, counted]) {
      const rows = await autocommit.rows<{ words: string }>(
        planEachTime(sql`select words from phrases where ${condition}`),
      )
      expect(rows.map(row => row.words).toSorted()).toEqual(expected)
    }
  },
)

test('one and two letters are found through the index of pairs', async () => {
  const plan = async (words: string) => {
    const { found } = await searchFor(autocommit, { from: sql`phrases`, text: sql`lower(words)` }, words)
    return JSON.stringify(await autocommit.rows(planEachTime(sql`explain select from phrases where ${found}`)))
  }
  for (const words of ['z', 'xu', '王伟', '@x']) expect(await plan(words)).toContain('phrases_pairs')
})
