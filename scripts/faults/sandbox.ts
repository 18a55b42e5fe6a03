/** The sandbox, whose file is read here and by nothing of the product. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Movement, Provider } from './provider.ts'

type Line = {
  key: string
  id: string
  kind: string
  amountCents: number
  earlierCents?: number
  declined: string | null
}

/** The first of each key, without what was declined. */
const linesOf = async (file: string): Promise<Line[]> => {
  const lines = new Map<string, Line>()
  for (const line of (await readFile(file, 'utf8')).split('\n').slice(1)) {
    // One that was cut short by a crash is none.
    try {
      const movement = JSON.parse(line) as Line
      if (!lines.has(movement.key)) lines.set(movement.key, movement)
    } catch {}
  }
  return [...lines.values()].filter(({ declined }) => declined === null)
}

/** What the sandbox does for these (docs/money.md): most of it is as it should be. */
const addresses = ['', '', '', 'lost+', '', 'slow+', '', '', 'later+', '', 'returned+', 'decline+']

export const sandboxIn = (folder: string): Provider => {
  const file = join(folder, 'sandbox.jsonl')
  const nothing = async () => undefined
  return {
    env: { SANDBOX_FILE: file },
    addresses,
    prepare: nothing,
    live: nothing,
    tell: nothing,
    calm: nothing,
    heal: () => undefined,
    lost: () => ({}),
    movements: async (): Promise<Movement[]> =>
      (await linesOf(file)).map(({ id, kind, amountCents }) => ({ name: `${kind} ${id}`, cents: amountCents })),
    heldCents: async () =>
      (await linesOf(file)).reduce(
        (sum, { kind, amountCents, earlierCents = 0 }) =>
          sum + (kind === 'CHARGE' || kind === 'RETURN' ? amountCents : earlierCents - amountCents),
        0,
      ),
    stop: nothing,
  }
}
