/**
 * Records what the application, which runs in the test's process, sends to PostgreSQL: only what the recorded work sends, not
 * what runs in the background at the same time.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

type Query = (statement: unknown, ...more: unknown[]) => unknown

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? '')

type Connection = pg.Client & { connectionParameters: { application_name: string } }

/** The recording that the work under way belongs to. */
const recording = new AsyncLocalStorage<object>()

type Recorder = (statement: unknown, more: unknown[], client: Connection, ask: Query) => unknown

/** Gives `record` each statement that `act` sends, except signals, which wait for a timer on a connection of their own. */
export const recordEach = async (act: () => Promise<unknown>, record: Recorder): Promise<void> => {
  const own = {}
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const original = prototype.query
  prototype.query = function query(this: Connection, statement, ...more) {
    const ask: Query = (...given) => original.apply(this, given)
    const isItsOwn = recording.getStore() === own && this.connectionParameters.application_name === 'fieldtest'
    return isItsOwn ? record(statement, more, this, ask) : ask(statement, ...more)
  }
  try {
    await recording.run(own, act)
  } finally {
    prototype.query = original
  }
}

/** The statements that `act` sends, including begin and commit. */
export const recorded = async (act: () => Promise<unknown>): Promise<string[]> => {
  const statements: string[] = []
  await recordEach(act, (statement, more, _client, ask) => {
    statements.push(textOf(statement))
    return ask(statement, ...more)
  })
  return statements
}

/** Sessions are looked up only while a heartbeat is late. */
const ofLateHeartbeat = /^select from sessions where id/i

type Done = (...answer: unknown[]) => void

/** Sends a statement with `ask`, and calls `answered` before its sender gets the answer from a callback or pg's promise. */
export const whenAnswered = (
  statement: unknown,
  more: unknown[],
  ask: (...more: unknown[]) => unknown,
  answered: () => void,
): unknown => {
  const noted =
    (done: Done): Done =>
    (...answer) => {
      answered()
      done(...answer)
    }
  const query = statement as { submit?: unknown; callback?: Done }
  const last = more.at(-1)
  if (typeof last === 'function') return ask(...more.slice(0, -1), noted(last as Done))
  if (query.submit && query.callback) {
    query.callback = noted(query.callback)
    return ask(...more)
  }
  const answer = ask(...more) as Promise<unknown>
  answer.then(answered, answered)
  return answer
}

/** The statements of each round trip of `act`, in the order sent: statements sent right behind each other share one. */
export const roundTripsOf = async (act: () => Promise<unknown>): Promise<string[][]> => {
  const trips: string[][] = []
  const going = new Map<Connection, { trip: string[]; left: number }>()
  await recordEach(act, (statement, more, client, ask) => {
    const text = textOf(statement).replaceAll(/\s+/g, ' ').trim()
    if (ofLateHeartbeat.test(text)) return ask(statement, ...more)
    let under = going.get(client)
    if (!under) {
      under = { trip: [], left: 0 }
      going.set(client, under)
      trips.push(under.trip)
    }
    under.trip.push(text)
    under.left++
    const answered = () => {
      if (--under.left === 0) going.delete(client)
    }
    return whenAnswered(statement, more, (...given) => ask(statement, ...given), answered)
  })
  return trips
}
