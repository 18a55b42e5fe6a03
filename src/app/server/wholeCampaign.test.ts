/** Showing a whole campaign takes as many statements for many testers and days as for one. */
import { expect, test } from 'vitest'
import { joinedBy, liveCampaign } from '../../testing/app.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import { roundTripsOf } from '../../testing/recorded.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const people = allSignedUp(t, 'TESTER', 6)

const campaignOf = async (testers: number, days: number) => {
  const { id } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST', testersRequired: 6 })
  for (const person of people.slice(0, testers)) {
    const { id: testId } = await joinedBy(person, id)
    await person.call('POST', `/testers/campaign-testers/${testId}/opt-in`, {})
    await t.look(
      `insert into check_ins (participation_id, day, at, note, minutes)
        select $1, current_date + n, now(), 'Used it.', 5 from generate_series(1, $2::int) n`,
      [testId, days],
    )
  }
  return id
}

test.each(['testers', 'continuity', 'report'])('GET /campaigns/{id}/%s', async what => {
  const [one, many] = [await campaignOf(1, 1), await campaignOf(6, 12)]
  const statementsOf = async (id: string) => {
    await developer.call('GET', '/users/me')
    const trips = await roundTripsOf(async () => {
      const { status, body } = await developer.call('GET', `/campaigns/${id}/${what}`)
      expect(status).toBe(200)
      expect(JSON.stringify(body)).toContain(id === many ? 'Tester 6' : 'Tester 1')
    })
    // Statements sent at the same time may arrive in any order. A connection that last served a search is reset first, which is
    // ignored.
    return trips
      .flat()
      .filter(text => text !== 'reset plan_cache_mode')
      .toSorted()
  }
  const few = await statementsOf(one)
  expect(few.length).toBeGreaterThan(0)
  expect(await statementsOf(many)).toEqual(few)
})
