import { expect, test } from 'vitest'
import { outcomeWords } from './disputeWords.ts'

const cases = (['OPEN', 'WON', 'LOST'] as const).flatMap(status =>
  [true, false].flatMap(ended => [0, 2].map(inside => ({ status, ended, inside }))),
)

test.each(cases.filter(({ inside }) => inside === 0))('nobody inside continues: $status, ended $ended', dispute => {
  expect(outcomeWords(dispute)).not.toMatch(/[Cc]urrent testers|tests are paid/)
})

test.each(cases.filter(({ ended }) => ended))(
  'nobody joins a campaign that has ended: $status, $inside inside',
  dispute => {
    expect(outcomeWords(dispute)).not.toMatch(/join|continue|end date/)
  },
)

test('testers inside are paid while the dispute is open and after it is lost', () => {
  const open = { status: 'OPEN', ended: false, inside: 2 } as const
  expect(outcomeWords(open)).toContain('Current testers continue and are paid.')
  expect(outcomeWords({ ...open, ended: true })).toContain('Verified tests are paid.')
  expect(outcomeWords({ ...open, status: 'LOST' })).toContain('current testers can finish and will be paid')
  expect(outcomeWords({ ...open, status: 'LOST', ended: true })).toContain('verified tests are paid')
})
