/** Who may act, and under which settings. */
import { deleteMe } from '../../../accounts/server/deleting.ts'
import * as people from '../../../people/server/people.ts'
import { changeSettings } from '../../../settings/server/settings.ts'
import type { Person } from '../books.ts'
import {
  adminOf,
  begins,
  called,
  callerOf,
  has,
  type Made,
  type Make,
  pick,
  present,
  reason,
  wrongUnless,
} from './making.ts'
import { type Attempt, password, type Scene } from './scene.ts'

export const ban: Make = (scene, draw) => {
  const { books } = scene
  // Usually somebody whose payout is on its way.
  const busy = books.withdrawals.flatMap(({ tester, status }) =>
    status === 'PENDING' && !tester.deleted ? [tester] : [],
  )
  const all = [...present(books, 'TESTER'), ...present(books, 'DEVELOPER')]
  const person = pick(draw, busy.length > 0 && draw(3) > 0 ? busy : all, one => !one.suspended)
  if (!person) return undefined
  return {
    label: `the admin suspends ${called(person)}`,
    run: () => people.ban(callerOf(adminOf(scene)), person.id, reason),
    isOutcome: outcome => outcome === (person.deleted && outcome !== null ? 'NOT_FOUND' : null),
    decide: () => {
      if (person.deleted) return 'NOT_FOUND'
      return wrongUnless(!person.suspended, () => {
        person.suspended = true
        for (const test of books.tests)
          if (test.tester === person && has('ACTIVE', 'CHANGES_REQUESTED')(test)) books.closedUnpaid([test], 'DROPPED')
        for (const c of books.campaigns) if (c.developer === person && c.status === 'LIVE') c.status = 'PAUSED'
      })
    },
  }
}

const restored = (scene: Scene, person: Person): Made => ({
  label: `the admin restores ${called(person)}`,
  run: () => people.unban(callerOf(adminOf(scene)), person.id, reason),
  decide: () => {
    if (person.deleted) return 'NOT_FOUND'
    return wrongUnless(person.suspended, () => (person.suspended = false))
  },
})

export const restore = (scene: Scene, person: Person): Attempt => ({
  name: 'unban',
  decides: begins,
  ...restored(scene, person),
})

export const unban: Make = (scene, draw) => {
  const all = [...present(scene.books, 'TESTER'), ...present(scene.books, 'DEVELOPER')]
  const person = pick(draw, all, one => one.suspended)
  return person && restored(scene, person)
}

export const deleteAccount: Make = (scene, draw) => {
  const { books, replace } = scene
  const all = [...present(books, 'TESTER'), ...present(books, 'DEVELOPER')].filter(({ suspended }) => !suspended)
  const person = pick(draw, all, one => books.whyNotDelete(one, one.balance) === null)
  if (!person) return undefined
  const givesUp = Math.max(0, person.balance - (draw(6) === 0 ? 1 : 0))
  return {
    label: `${called(person)} deletes the account and gives up ${givesUp}`,
    run: () => deleteMe(callerOf(person), { password, ...(givesUp > 0 && { givesUpCents: givesUp }) }),
    decides: /role = 'ADMIN' and deleted_at is null/,
    decide: async () => {
      if (person.deleted) return 'ANY'
      const refusal = books.whyNotDelete(person, givesUp)
      if (refusal !== null) return refusal
      books.balanceGivenUp(person)
      person.deleted = true
      const unpaid = books.campaigns.filter(c => c.developer === person && /^(DRAFT|REJECTED)$/.test(c.status))
      for (const c of unpaid) books.cancelled(c)
      await replace(person)
      return null
    },
  }
}

export const settings: Make = (scene, draw) => {
  const { books } = scene
  const minimum = [500, 1000, 100][draw(3)]!
  const feeRate = [1500, 0, 1234, 10_000][draw(4)]!
  const mostOpen = [20, 3, 10][draw(3)]!
  return {
    label: `the admin sets a minimum of ${minimum}, a fee of ${feeRate} and ${mostOpen} open tests`,
    run: () =>
      changeSettings(callerOf(adminOf(scene)), {
        minimumWithdrawalCents: minimum,
        feeBasisPoints: feeRate,
        openTestsPerTester: mostOpen,
      }),
    decide: () => {
      Object.assign(books, { minimum, feeRate, mostOpen })
      return null
    },
  }
}
