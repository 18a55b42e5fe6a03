/** Of the downloads that keep the server busy, each user has two at a time, and a place is given back once, however it ends. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { SignedIn } from '../endpoint.ts'
import { throttled } from './downloads.ts'

const person = (): SignedIn => ({ id: randomUUID(), role: 'DEVELOPER', sessionId: '' })

async function* pieces(fails = false): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1)
  if (fails) throw new Error('The file is gone.')
}
const begun = (user: SignedIn, fails?: boolean) => throttled(user, pieces(fails))[Symbol.asyncIterator]()
type Reading = ReturnType<typeof begun>

const read = async (reading: Reading) => {
  while (!(await reading.next()).done);
}
const leave = (reading: Reading) => reading.return!()

test.each<[how: string, end: (reading: Reading) => Promise<unknown>, fails?: boolean]>([
  ['is read to the end', read],
  ['fails', reading => expect(read(reading)).rejects.toThrow('gone'), true],
  ['is left after its first piece', async reading => [await reading.next(), await leave(reading)]],
  ['is left before its first piece', leave],
])('a download that %s gives its place back, once', async (_how, end, fails) => {
  const user = person()
  const [first] = [begun(user, fails), begun(user)]
  const tooMany = expect.objectContaining({ code: 'TOO_MANY_REQUESTS' })
  expect(() => begun(user)).toThrow(tooMany)
  begun(person())
  await end(first)
  await leave(first)
  begun(user)
  expect(() => begun(user)).toThrow(tooMany)
})
