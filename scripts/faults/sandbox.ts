/** The sandbox, whose file is read here without any code of the product. */
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

/** The first line of each key, without declined ones. */
const linesOf = async (file: string): Promise<Line[]> => {
  const lines = new Map<string, Line>()
  for (const line of (await readFile(file, 'utf8')).split('\n').slice(1)) {
    // A line cut short by a crash does not count.
    try {
      const movement = JSON.parse(line) as Line
      if (!lines.has(movement.key)) lines.set(movement.key, movement)
    } catch {}
  }
  return [...lines.values()].filter(({ declined }) => declined === null)
}

/** How the sandbox treats these addresses (docs/money.md): most of them work normally. */
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
