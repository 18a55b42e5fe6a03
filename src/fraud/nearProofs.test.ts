import { describe, expect, test } from 'vitest'
import { likenessOf, marksOf, nearGroups, nearProofs, type Pair, type ProofText } from './nearProofs.ts'

const original =
  'I opened the shop every morning, put three things into the basket and paid for them with the test card. The basket kept everything, but the price of the second thing was rounded in a strange way.'
const reworded = original.replace('three things', 'some things').replace('strange', 'wrong')
const unlike =
  'On my phone the map took very long to load, and when I turned the screen the route was gone. After an update it was better, although the voice still names the wrong streets in my town.'

const proof = (place: number, more: Partial<ProofText> = {}): ProofText => ({
  participationId: `test-${place}`,
  testerId: `tester-${place}`,
  campaignId: 'campaign',
  campaignTitle: 'Shop',
  submittedAt: `2026-11-2${place}T08:00:00.000Z`,
  place,
  first: place,
  proofKey: `key-${place}`,
  text: place === 1 ? original : reworded,
  gone: false,
  ...more,
})
const allPairs = (proofs: readonly ProofText[]): Pair[] =>
  proofs.flatMap(one =>
    proofs.flatMap(other =>
      one.testerId === other.testerId ? [] : [{ one: one.participationId, other: other.participationId }],
    ),
  )
const found = (...proofs: ProofText[]) => nearProofs(nearGroups(allPairs(proofs), proofs), proofs)

describe('texts that are nearly the same', () => {
  test('share a mark, whatever their case, marks and spaces; other texts share none', () => {
    const marks = marksOf(original)
    expect(marks).toHaveLength(4)
    expect(marksOf(` ${original.toUpperCase().replaceAll(/[,.]/g, ' – ')} `)).toEqual(marks)
    expect(marksOf(reworded).some(mark => marks.includes(mark))).toBe(true)
    expect(marksOf(unlike).filter(mark => marks.includes(mark))).toEqual([])
    expect(marks.every(Number.isSafeInteger)).toBe(true)
  })

  test('always have the same marks, since otherwise they would match none of the stored ones', () => {
    expect(marksOf(original)).toEqual([734005629351540, 8084885180711444, 4811458625608093, 4822995076394777])
  })

  test('share a mark as often as their likeness predicts: with seven tenths of their runs in common, most do', () => {
    const words = (seed: number, count: number) =>
      Array.from({ length: count }, (_, n) => `word${(seed * 31 + n * 7) % 997}`)
    const alike = Array.from({ length: 100 }, (_, seed) => {
      const kept = words(seed, 60)
      const one = [...kept, ...words(seed + 400, 12)].join(' ')
      const other = [...kept, ...words(seed + 700, 12)].join(' ')
      return marksOf(one).some(mark => marksOf(other).includes(mark))
    })
    expect(alike.filter(Boolean).length).toBeGreaterThan(80)
  })

  test('are compared by runs of three words', () => {
    expect(likenessOf(original, original)).toBe(1)
    expect(likenessOf(original, reworded)).toBeGreaterThan(0.6)
    expect(likenessOf(original, unlike)).toBe(0)
    expect(likenessOf('', '')).toBe(0)
    expect(likenessOf('a b c d e', 'a b c d f')).toBe(0.5)
  })

  test('have no marks if they are too short to tell a copy from chance', () => {
    expect(marksOf('All good and no bugs found in nine days')).toEqual([])
    expect(marksOf('All good and no bugs found in ten whole days')).not.toEqual([])
  })

  test('are reported on the last tester who submitted one, never on the first', () => {
    expect(found(proof(2), proof(1))).toMatchObject([
      {
        kind: 'NEAR_PROOF',
        key: 'near-proof:test-1',
        parts: ['test-1', 'test-2'],
        userId: 'tester-2',
        severity: 'MEDIUM',
        facts: { text: original, copy: reworded, proofs: 2, testers: 2, campaigns: 1 },
      },
    ])
  })

  test('make one finding with everybody who came near the first, graded higher from four testers on', () => {
    const near = [2, 3, 4].map(place => proof(place, { text: `${reworded} Day ${place}.` }))
    expect(found(proof(1), ...near.slice(0, 2))).toMatchObject([{ severity: 'MEDIUM', facts: { testers: 3 } }])
    expect(found(proof(1), ...near)).toMatchObject([{ severity: 'HIGH', facts: { testers: 4, proofs: 4 } }])
  })

  test('are no finding if they are equal, which another detector reports, or not near enough', () => {
    expect(found(proof(1), proof(2, { text: original, proofKey: 'key-1' }))).toEqual([])
    expect(found(proof(1), proof(2, { text: unlike }))).toEqual([])
    expect(nearGroups([{ one: 'test-1', other: 'gone' }], [proof(1)])).toEqual([])
  })

  test('are near if they share half of their runs', () => {
    const factsOf = (one: string, other: string) =>
      found(proof(1, { text: one }), proof(2, { text: other })).map(({ facts }) => facts)
    expect(factsOf('a b c d e', 'a b c d f')).toMatchObject([{ percent: 50 }])
    expect(factsOf('a b c d e f g h i j k l', 'a b c d e f g h i m n o')).toMatchObject([{ percent: 53 }])
    expect(factsOf('a b c d e f g h i j k l', 'a b c d e f g h m n o p')).toEqual([])
  })

  test('that are near two others count once, as copies of the first', () => {
    const proofs = [1, 2, 3].map(place => proof(place, { text: `${original} Day ${place}.` }))
    expect(found(...proofs)).toMatchObject([{ parts: ['test-1', 'test-2', 'test-3'], userId: 'tester-3' }])
  })

  test('are ordered by when they were recorded, not by their submission times', () => {
    const late = proof(1, { place: 9, first: 9, submittedAt: '2026-11-20T08:00:00.000Z' })
    expect(found(late, proof(2))).toMatchObject([{ key: 'near-proof:test-2', userId: 'tester-1' }])
  })

  test('are no finding if it is uncertain who was first, since a test’s earlier texts are not kept', () => {
    expect(found(proof(1, { place: 3, first: 1 }), proof(2))).toEqual([])
    expect(found(proof(1), proof(2, { place: 4, first: 2 }))).toMatchObject([{ userId: 'tester-2' }])
    expect(found(proof(1, { place: 3, first: 1 }), proof(4))).toMatchObject([{ userId: 'tester-4' }])
  })

  test('are reported on the last copier who still has an account, and on nobody if all are gone', () => {
    const copies = (...gone: number[]) =>
      found(
        proof(1),
        ...[2, 3].map(place => proof(place, { gone: gone.includes(place), text: `${reworded} No ${place}.` })),
      )
    expect(copies()).toMatchObject([{ userId: 'tester-3' }])
    expect(copies(3)).toMatchObject([{ userId: 'tester-2', facts: { testers: 3 } }])
    expect(copies(2, 3)).toEqual([])
  })

  test('are never held against a tester who had such a text in an earlier test', () => {
    const again = proof(3, { testerId: 'tester-1', text: `${reworded} Once more.` })
    expect(found(proof(1), proof(2), again)).toMatchObject([{ key: 'near-proof:test-1', userId: 'tester-2' }])
    // The author's first text was copied exactly, which is another finding.
    expect(found(proof(1), proof(2, { text: original, proofKey: 'key-1' }), again)).toEqual([])
  })

  test('are held against a copier who had such a text elsewhere only after the original, or only in this test', async () => {
    const before = proof(1, { participationId: 'own', testerId: 'tester-3', text: reworded })
    const copy = proof(3, { text: `${reworded} Once more.` })
    const groups = nearGroups([{ one: 'test-2', other: 'test-3' }], [proof(2, { text: original }), copy])
    const against = (...own: ProofText[]) => nearProofs(groups, own).map(({ userId }) => userId)
    expect(against(before)).toEqual([])
    expect(against({ ...before, place: 9, first: 1 })).toEqual([])
    // Submitted together with the original, or later.
    expect(against({ ...before, place: 2, first: 2 })).toEqual(['tester-3'])
    expect(against({ ...before, place: 9, first: 9 })).toEqual(['tester-3'])
    // An earlier version of the copy itself.
    expect(against({ ...before, participationId: 'test-3' })).toEqual(['tester-3'])
    expect(against({ ...before, testerId: 'somebody else' })).toEqual(['tester-3'])
  })

  test('are not held against a tester whose earlier text is near the copy, even if it is not near the original', () => {
    const copy = proof(3, { text: 'a b c d e f g h i m n o' })
    const groups = nearGroups(
      [{ one: 'test-2', other: 'test-3' }],
      [proof(2, { text: 'a b c d e f g h i j k l' }), copy],
    )
    const earlier = proof(1, { testerId: 'tester-3', text: 'd e f g h i m n o p' })
    expect(nearProofs(groups, [])).toMatchObject([{ userId: 'tester-3' }])
    expect(nearProofs(groups, [earlier])).toEqual([])
  })

  test('in a chain, a copy can be the original of another finding', () => {
    const words = 'a b c d e f g h i j k l'
    const chain = [words, 'a b c d e f g h i m n o', 'x y z d e f g h i m n o']
    expect(found(...chain.map((text, at) => proof(at + 1, { text })))).toMatchObject([
      { key: 'near-proof:test-1', parts: ['test-1', 'test-2'], userId: 'tester-2' },
      { key: 'near-proof:test-2', parts: ['test-2', 'test-3'], userId: 'tester-3' },
    ])
  })

  test('are graded low if they are shorter than sixty characters', () => {
    const text = 'It ran well on my new phone and I saw no bug come up at all'
    const graded = (first: string) =>
      found(proof(1, { text: first }), proof(2, { text: 'It ran well on my new phone and I saw no bug come up' })).map(
        ({ severity }) => severity,
      )
    expect(text).toHaveLength(59)
    expect([graded(`  ${text}  `), graded(`${text}.`)]).toEqual([['LOW'], ['MEDIUM']])
  })
})
