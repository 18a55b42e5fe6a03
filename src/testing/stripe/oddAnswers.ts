/** What Stripe's documents allow it to say, although nothing that the fake plays comes to it. */
import type { Fields, World } from './world.ts'

/** From now on the object says so. Gives how it was; `events` tell of it. */
export const answerOddly = (world: World, id: string, fields: Fields, events: readonly string[] = []): Fields => {
  const object = world.objectOf(id)
  if (!object) throw new Error(`there is no ${id}`)
  const before = Object.fromEntries(Object.keys(fields).map(name => [name, object[name]]))
  Object.assign(object, fields)
  for (const event of events) world.emit(event, object)
  return before
}
