/** Export of a user's data (product.md §10). */
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit } from '../../kit/server/db.ts'
import { User } from '../contract.ts'
import * as queries from './exporting.queries.ts'
import { me } from './profile.ts'

/** The users whose export is running on this server. */
const exporting = new Set<string>()

const exportUnderWay = () =>
  new DomainError('TOO_MANY_REQUESTS', 'An export of your data is under way. Wait until it is done.', {
    retryAfterSeconds: 10,
  })

/** One export at a time for each user, and a page of rows at a time, so an export takes no more memory than a list. */
export const exportMe = async (user: SignedIn): Promise<AsyncIterable<string>> => {
  if (exporting.has(user.id)) throw exportUnderWay()
  exporting.add(user.id)
  const pieces = exportPieces(user)
  // A stream calls `return` at its end, even if the caller disconnects before the first piece.
  const end = async () => {
    exporting.delete(user.id)
    return pieces.return(undefined)
  }
  return { [Symbol.asyncIterator]: () => ({ next: () => pieces.next(), return: end }) }
}

async function* exportPieces(user: SignedIn): AsyncGenerator<string, undefined> {
  const head = { exportedAt: clock.now(), user: User.parse(await me(user)) }
  yield JSON.stringify(head).slice(0, -1)
  for (const [kind, page] of Object.entries(queries.exported)) {
    yield `,"${kind}":[`
    for (let after: queries.Row | undefined, more = true; more;) {
      const rows = await page(autocommit, user.id, after)
      const text = rows.map(row => JSON.stringify(row)).join(',')
      yield after && text ? `,${text}` : text
      more = rows.length === queries.rowsPerPage
      after = rows.at(-1)
    }
    yield ']'
  }
  yield '}'
}
