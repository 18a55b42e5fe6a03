/** Records what the application, which runs in the test's process, sends to PostgreSQL. */
import pg from 'pg'

type Query = (statement: unknown, ...more: unknown[]) => unknown

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? '')

/** The statements sent while `act` runs, including begin and commit. */
export const recorded = async (act: () => Promise<unknown>): Promise<string[]> => {
  const statements: string[] = []
  const client = pg.Client.prototype as unknown as { query: Query }
  const original = client.query
  client.query = function record(this: pg.Client, statement, ...more) {
    // The watch for ended sessions sends notifications at times of its own.
    if (!textOf(statement).startsWith('notify ')) statements.push(textOf(statement))
    return original.call(this, statement, ...more)
  }
  try {
    await act()
  } finally {
    client.query = original
  }
  return statements
}

/** Statements outside of calls: pg-boss refreshes its queues, and the server looks up sessions while a heartbeat is late. */
const ofOthers = /from pgboss\.queue|^select from sessions where id/i

type Connection = pg.Client & { connectionParameters: { application_name: string } }

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

/** The statements of each round trip, in the order sent: statements sent right behind each other share one. */
export const roundTripsOf = async (act: () => Promise<unknown>): Promise<string[][]> => {
  const trips: string[][] = []
  const going = new Map<Connection, { trip: string[]; left: number }>()
  const client = pg.Client.prototype as unknown as { query: Query }
  const original = client.query
  client.query = function record(this: Connection, statement, ...more) {
    const text = textOf(statement).replaceAll(/\s+/g, ' ').trim()
    const ask = (...given: unknown[]) => original.call(this, statement, ...given)
    if (this.connectionParameters.application_name !== 'fieldtest' || ofOthers.test(text)) return ask(...more)
    let under = going.get(this)
    if (!under) {
      under = { trip: [], left: 0 }
      going.set(this, under)
      trips.push(under.trip)
    }
    under.trip.push(text)
    under.left++
    const answered = () => {
      if (--under.left === 0) going.delete(this)
    }
    return whenAnswered(statement, more, ask, answered)
  }
  try {
    await act()
  } finally {
    client.query = original
  }
  return trips
}
