/** Withdrawals, and payouts that come back. */
import { updateMe } from '../../../accounts/server/profile.ts'
import { transact } from '../../../kit/server/db.ts'
import { payoutReturned, withdraw } from '../../../ledger/server/payouts.ts'
import { isDeclining, type Withdrawal } from '../books.ts'
import { begins, called, callerOf, type Made, type Make, once, pick, present } from './making.ts'
import { type Attempt, password, type Scene } from './scene.ts'

export const withdrawal: Make = (scene, draw, key) => {
  const { books, look } = scene
  const tester = pick(draw, present(books, 'TESTER'), one => books.whyNotWithdraw(one, books.minimum) === null)
  if (!tester) return undefined
  const cents = [books.minimum, tester.balance, tester.balance + 1, books.minimum - 1, books.minimum + draw(500)][
    draw(5)
  ]!
  if (cents < 1) return undefined
  return {
    label: `${called(tester)} withdraws ${cents}`,
    run: () => withdraw(callerOf(tester), cents, key),
    ...once(scene, key, tester, async () => {
      const refusal = books.whyNotWithdraw(tester, cents)
      if (refusal !== null) return refusal
      const known = books.withdrawals.filter(one => one.tester === tester).map(({ id }) => id)
      const [row] = await look<{ id: string }>('select id from withdrawals where tester_id = $1 and id <> all ($2)', [
        tester.id,
        known,
      ])
      if (!row) throw new Error('nothing was withdrawn')
      books.withdrawn(row.id, tester, cents)
      return null
    }),
  }
}

const comesBack = ({ books, provider }: Scene, returning: Withdrawal): Made => ({
  label: `withdrawal ${returning.n} comes back`,
  run: async () => {
    if (!(await provider.giveBack(returning.id))) return
    const effect = await payoutReturned(returning.id)
    await transact(effect)
  },
  mayFail: true,
  decide: () => {
    if (returning.status === 'COMPLETED') books.returned(returning)
    return null
  },
})

export const payoutReturns: Make = (scene, draw) => {
  const returning = pick(draw, scene.books.withdrawals, ({ status }) => status === 'COMPLETED')
  return returning && comesBack(scene, returning)
}

/** A provider repeats its news until somebody has acknowledged it: the process that heard it may have died. */
export const tellReturns = (scene: Scene): Attempt[] =>
  scene.books.withdrawals
    .filter(({ id, status }) => status === 'COMPLETED' && scene.provider.returned.has(id))
    .map(each => ({ name: 'payoutReturns', decides: begins, ...comesBack(scene, each) }))

export const changeMethod: Make = ({ books }, draw, key) => {
  const all = [...present(books, 'TESTER'), ...present(books, 'DEVELOPER')]
  const person = pick(draw, all, ({ suspended }) => !suspended)
  if (!person) return undefined
  const method = `${draw(4) === 0 ? 'decline' : `k${key}`}@pay.test`
  return {
    label: `${called(person)} changes the payment method to ${isDeclining(method) ? 'one that declines' : 'another'}`,
    run: () => updateMe(callerOf(person), { paymentMethod: method, currentPassword: password }),
    decides: /update users set name/,
    decide: () => {
      if (person.deleted) return 'ANY'
      if (person.method !== method) person.changedAt = books.now
      person.method = method
      return null
    },
  }
}
