/** What several notifications of one matter lead to. */
import { expect, test } from 'vitest'
import { paths } from '../kit/paths.ts'
import { type About, aboutSeveral, labelOf, screenOf } from './about.ts'

const id = '019e8a00-0000-7000-8000-000000000001'
const campaignId = '019e8a00-0000-7000-8000-000000000002'
const ownTestId = '019e8a00-0000-7000-8000-000000000003'

test.each<[string, About['kind'], { things: number; own?: true }, string]>([
  [
    'bugs lead their developer to the list of the campaign',
    'BUG',
    { things: 2 },
    paths.campaignTab(campaignId, 'bugs'),
  ],
  ['bugs lead a tester to the own test', 'BUG', { things: 2, own: true }, paths.myTest(ownTestId)],
  ['several about one bug lead to it', 'BUG', { things: 1, own: true }, paths.bug(id)],
  ['appeals lead admins to all that wait', 'APPEAL', { things: 2 }, paths.appealsPending],
  ['several about one appeal lead to it', 'APPEAL', { things: 1 }, paths.appeal(id)],
  ['proofs lead to the queue', 'PROOFS', { things: 1 }, paths.review(id)],
])('%s', (_, kind, { things, own }, screen) => {
  const newest = { kind, id, testId: ownTestId }
  expect(screenOf(aboutSeveral({ newest, campaignId, ownTestId: own ? ownTestId : null, things }))).toBe(screen)
})

test('what only a newer server knows leads to the dashboard', () => {
  const about = { kind: 'SOMETHING_NEW' as About['kind'], id }
  expect([screenOf(about), labelOf(about)]).toEqual([paths.dashboard, 'Open Fieldtest'])
})
