import { expect, test } from 'vitest'
import { surplusInDialogs } from './surplusInDialogs.ts'

const since = '2026-11-20T10:00:00.000Z'
const open = surplusInDialogs({ dispute: { since, lostAt: null } })
const lost = surplusInDialogs({ dispute: { since: null, lostAt: since } })
const sentences = ({ seat, rest, label, done }: typeof open) => [seat, rest, label, done(1150)].join(' | ')

test('without a dispute the refund and its amount are promised at once', () => {
  expect(sentences(surplusInDialogs({ dispute: null }))).toMatch(/refunded at once\. .*, \$11\.50 refunded$/)
})

test('while the bank decides, what a closed seat or a cancellation leaves is said to be held, never to be refunded now', () => {
  expect(open.seat).toContain('is held until the bank decides')
  expect(open.rest).toContain('are held until the bank decides')
  expect(open.done(1150)).toBe('. $11.50 is held until the bank decides')
  expect(open.done(0)).toBe('')
  expect(sentences(open)).not.toMatch(/at once|\$11\.50 refunded/)
})

test('after a lost dispute the debt is covered first, and no amount is promised', () => {
  for (const said of [lost.seat, lost.rest]) expect(said).toMatch(/first covers? what the bank took back/)
  expect(sentences(lost)).not.toMatch(/at once|\$/)
})
