/** The delivery of each topic for a user. Only the user's choices are stored; other topics have their defaults. */
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import type { NotificationChoice } from '../contract.ts'
import { deliveriesOf, presetDelivery, type Topic, topicsOf } from '../topics.ts'
import * as queries from './choices.queries.ts'

type Choices = { choices: NotificationChoice[] }

const deliveryIn = (chosen: readonly NotificationChoice[], topic: Topic) => {
  const delivery = chosen.find(choice => choice.topic === topic)?.delivery ?? presetDelivery
  return deliveriesOf(topic).includes(delivery) ? delivery : 'IN_APP'
}

/** All topics of the user's role, in the order of the settings screen. */
const complete = (user: SignedIn, chosen: readonly NotificationChoice[]): Choices => ({
  choices: topicsOf(user.role).map(topic => ({ topic, delivery: deliveryIn(chosen, topic) })),
})

/** Whether the user gets this topic by email at once. */
export const isEmailedAtOnce = async (tx: Tx, userId: string, topic: Topic): Promise<boolean> =>
  deliveryIn(await queries.choicesOf(tx, userId), topic) === 'AT_ONCE'

export const choices = async (user: SignedIn): Promise<Choices> =>
  complete(user, await queries.choicesOf(autocommit, user.id))

export const choose = async (user: SignedIn, chosen: readonly NotificationChoice[]): Promise<Choices> => {
  const known = topicsOf(user.role)
  const foreign = chosen.find(({ topic }) => !known.includes(topic))
  if (foreign) {
    const message = `${foreign.topic} is not a kind of notification that you receive`
    throw new DomainError('INVALID_INPUT', message, { fields: { choices: message } })
  }
  const all = complete(user, chosen)
  await transact(async tx => {
    await queries.putChoices(tx, user.id, all.choices)
    await queries.waitAsChosen(tx, user.id)
  })
  return all
}
