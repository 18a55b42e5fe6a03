/** Statements look only into the months of check-ins that belong to the tests they are about (decision 050). */
import { expect, test } from 'vitest'
import { daysAndProof, joinedBy, liveCampaign } from '../../testing/app.ts'
import { type Listener, listenToPlans, nodesOf, tellPlans } from '../../testing/plans.ts'
import { testApp } from '../../testing/prologue.ts'

let listener: Listener
const t = testApp(
  {},
  {
    via: async url => {
      await tellPlans(url, { analyze: true, settings: { plan_cache_mode: 'force_generic_plan' } })
      listener = listenToPlans()
      return url
    },
  },
)

test('a test, a campaign’s testers, a report and an export read only the months of their days', async () => {
  const [developer, admin, person] = [await t.signUp('DEVELOPER'), await t.signUp('ADMIN'), await t.signUp('TESTER')]
  const { id } = await liveCampaign(developer, admin, { testersRequired: 1, durationDays: 1 })
  const participationId = (await joinedBy(person, id)).id
  await daysAndProof(t, [{ person, participationId }], 1)
  await developer.call('POST', `/campaign-testers/${participationId}/verify`)
  await t.advance(24 * 400)
  const partitions = await t.look(`select from pg_inherits where inhparent = 'check_ins'::regclass`)
  expect(partitions.length).toBeGreaterThan(12)
  listener.taken()
  await person.call('GET', `/testers/campaign-testers/${participationId}`)
  await developer.call('GET', `/campaigns/${id}/testers`)
  await developer.call('GET', `/campaigns/${id}/report`)
  expect((await person.call('GET', '/users/me/export')).status).toBe(200)
  const { planned } = listener.taken()
  listener.stop()
  const reads = planned.filter(({ text }) => /\ball_check_ins\b/.test(text))
  expect(reads.length).toBeGreaterThanOrEqual(4)
  const carriedOut = reads.flatMap(({ plan }) =>
    nodesOf(plan)
      .filter(({ node }) => node['Actual Loops'] !== 0)
      .flatMap(({ node }) => node['Relation Name'] ?? []),
  )
  const months = new Set(carriedOut.filter(name => name.startsWith('check_ins')))
  expect([...months]).toEqual(['check_ins_first'])
})
