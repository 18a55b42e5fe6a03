import { expect, test } from 'vitest'
import { verifiedTogether } from './verifiedTogether.ts'

const at = (day: number) => `2026-11-${day}T12:00:00.000Z`
const checkedIn = (day: number) => ({
  day: `2026-11-${day}`,
  at: at(day),
  note: null,
  minutes: null,
  features: [],
  attachment: null,
  code: null,
})
const proof = {
  id: 'whole',
  begunAt: at(20),
  closedAt: null,
  timeZone: 'UTC',
  checkIns: [checkedIn(20), checkedIn(21)],
  runs: [],
  proof: { submittedAt: at(22) },
  campaign: { durationDays: 2, dailyCheckIn: true, accessMode: 'OPEN_LINK' as const },
  consentRequest: null,
}
const asked = { at: at(23), code: 'OTHER' as const, reason: 'Another app.', decidedAt: null, note: null }

test('proofs with all days are verified together, but for those whose rejection waits for consent', () => {
  const queue = [
    proof,
    { ...proof, id: 'missed', checkIns: [checkedIn(20)] },
    { ...proof, id: 'waits', consentRequest: { ...asked, outcome: null } },
    { ...proof, id: 'refused', consentRequest: { ...asked, outcome: 'REFUSED' as const } },
  ]
  expect(verifiedTogether(queue, at(24)).map(({ id }) => id)).toEqual(['whole', 'refused'])
})
