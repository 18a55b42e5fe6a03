/**
 * A user can have two downloads of generated or long files under way on a server: enough for a second click, too few to keep it
 * busy.
 */
import type { SignedIn } from '../endpoint.ts'
import { DomainError } from '../errors.ts'

const most = 2
const underWay = new Map<string, number>()

const tooMany = () =>
  new DomainError('TOO_MANY_REQUESTS', 'Two of your downloads are under way. Wait until one of them is done.', {
    retryAfterSeconds: 5,
  })

/** Holds a place until the file has been read, or its reader has gone. */
export const throttled = ({ id }: SignedIn, pieces: AsyncGenerator<Uint8Array>): AsyncIterable<Uint8Array> => {
  const count = underWay.get(id) ?? 0
  if (count >= most) throw tooMany()
  underWay.set(id, count + 1)
  let held = true
  const letGo = () => {
    if (!held) return
    held = false
    const left = (underWay.get(id) ?? 1) - 1
    if (left > 0) underWay.set(id, left)
    else underWay.delete(id)
  }
  const next = async () => {
    try {
      const piece = await pieces.next()
      if (piece.done) letGo()
      return piece
    } catch (error) {
      letGo()
      throw error
    }
  }
  const end = async () => {
    letGo()
    return pieces.return(undefined)
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}
