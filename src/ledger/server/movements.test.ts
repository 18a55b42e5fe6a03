/** The sandbox writes what it did to disk before it answers, once for each key, whatever dies in between. */
import { randomUUID } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { headLine, lineOf, type Movement, type Movements, openMovements } from './movements.ts'

let folder: string
let path: string
const opened: Movements[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldtest-movements-'))
  path = join(folder, 'sandbox.jsonl')
  await writeFile(path, headLine(randomUUID()))
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  await rm(folder, { recursive: true })
})

const another = async () => {
  const movements = (await openMovements(path, { write: true }))!
  opened.push(movements)
  return movements
}
const payout = (key: string, more: Partial<Movement> = {}): Movement => ({
  key,
  id: randomUUID(),
  kind: 'PAYOUT',
  amountCents: 1500,
  of: randomUUID(),
  declined: null,
  at: '2026-11-22T12:00:00.000Z',
  ...more,
})
const lines = async () => (await readFile(path, 'utf8')).split('\n').filter(line => line !== '')

test('a movement is in the file when it is answered, and a repeated key gets the first answer', async () => {
  const movements = await another()
  const first = payout('one', { declined: 'No such account' })
  expect(await movements.record(first)).toEqual(first)
  expect(await lines()).toHaveLength(2)
  expect(await movements.record(payout('one'))).toEqual(first)
  expect(await lines()).toHaveLength(2)
  expect(await (await another()).find('one')).toEqual(first)
})

test('servers that record the same keys at once agree on one movement for each', async () => {
  const servers = await Promise.all([another(), another(), another()])
  const keys = Array.from({ length: 60 }, (_, index) => `key ${index}`)
  const answers = await Promise.all(servers.map(server => Promise.all(keys.map(key => server.record(payout(key))))))
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
  const all = await (await another()).all()
  expect([...all.values()]).toHaveLength(60)
  expect(keys.map(key => all.get(key))).toEqual(answers[0])
})

test('a line that a crash cut short is skipped, and the next one is complete', async () => {
  const kept = await (await another()).record(payout('kept'))
  await appendFile(path, lineOf(payout('cut')).slice(0, 40))
  const movements = await another()
  expect(await movements.find('cut')).toBeUndefined()
  const next = await movements.record(payout('next'))
  const again = await another()
  expect([...(await again.all()).values()]).toEqual([kept, next])
  expect(again.unreadable()).toBe(1)
})

test('a line that is being written is read once its end is there', async () => {
  const movements = await another()
  const line = lineOf(payout('slow', { of: randomUUID() }))
  await appendFile(path, line.slice(0, 25))
  expect(await movements.find('slow')).toBeUndefined()
  await appendFile(path, line.slice(25))
  expect(await movements.find('slow')).toMatchObject({ key: 'slow' })
  expect(movements.unreadable()).toBe(0)
})

test('the total given back of a charge excludes what had been paid before', async () => {
  const movements = await another()
  const charge = randomUUID()
  await movements.record(payout('part', { kind: 'REFUND', of: charge, amountCents: 1000, earlierCents: 400 }))
  await movements.record(payout('void', { kind: 'VOID', of: charge, amountCents: 50 }))
  expect(await movements.givenBack(charge)).toBe(650)
  expect(await movements.givenBack(randomUUID())).toBe(0)
})

test('another file is refused, and a missing one is not made', async () => {
  await expect(openMovements(join(folder, 'none'), { write: true })).resolves.toBeUndefined()
  await expect(readFile(join(folder, 'none'))).rejects.toThrow('ENOENT')
  await writeFile(path, 'Dear diary,\n')
  await expect(openMovements(path, { write: false })).rejects.toThrow('is not a file of the sandbox’s movements')
})
