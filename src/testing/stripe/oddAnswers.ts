/** Answers that Stripe's documents allow, although nothing that the fake simulates leads to them. */
import type { Fields, State } from './state.ts'

/** From now on the object has these fields. Returns the previous ones; the `events` report the change. */
export const answerOddly = (state: State, id: string, fields: Fields, events: readonly string[] = []): Fields => {
  const object = state.objectOf(id)
  if (!object) throw new Error(`there is no ${id}`)
  const before = Object.fromEntries(Object.keys(fields).map(name => [name, object[name]]))
  Object.assign(object, fields)
  for (const event of events) state.emit(event, object)
  return before
}
