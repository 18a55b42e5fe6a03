/**
 * The sandbox provider's own memory: a file to which each movement is appended, outside the database and its backups, like a real
 * provider's books (decision 044). A line is on disk before anyone gets an answer. Several servers on one machine may append at
 * once: of lines with the same key, the first counts. A line that a crash cut short is skipped.
 */
import { constants, open, type FileHandle } from 'node:fs/promises'
import { z } from 'zod'

const Movement = z.object({
  /** Identifies the movement: it is done once, however often it is requested. */
  key: z.string(),
  id: z.uuid(),
  /**
   * `VOID` gives back a charge that the product does not know of; `RETURN` is a payout that comes back, `DISPUTE` a charge that a
   * bank took back.
   */
  kind: z.enum(['CHARGE', 'PAYOUT', 'REFUND', 'VOID', 'RETURN', 'DISPUTE']),
  amountCents: z.number().int().positive(),
  /** The part of it that had been paid before, and is not paid again. */
  earlierCents: z.number().int().positive().optional(),
  /**
   * The campaign of a charge, the tester of a payout, the charge of a refund or dispute, or the payout of a return. Contains no
   * name and no address.
   */
  of: z.uuid(),
  declined: z.string().nullable(),
  at: z.string(),
})
export type Movement = z.output<typeof Movement>

const Head = z.object({ sandbox: z.uuid() })

export const headLine = (id: string): string => `${JSON.stringify({ sandbox: id })}\n`
export const lineOf = (movement: Movement): string => `${JSON.stringify(movement)}\n`

/** How a movement changes what the provider holds for us. */
const effectOf = ({ kind, amountCents, earlierCents = 0, declined }: Movement): number => {
  if (declined !== null) return 0
  return kind === 'CHARGE' || kind === 'RETURN' ? amountCents : earlierCents - amountCents
}

/** Returns the movement, or undefined if the line is not one. */
const parse = (line: string): Movement | undefined => {
  try {
    return Movement.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}

const readAtOnce = 1 << 20

/** Reads the file to its end, including what other servers have appended. */
class Reader {
  readonly byKey = new Map<string, Movement>()
  /** What was given back of each charge. */
  readonly givenBack = new Map<string, number>()
  /** The charges of each campaign. */
  readonly charges = new Map<string, Movement[]>()
  balanceCents = 0
  unreadable = 0
  head: string | undefined
  private position = 0
  private lines = 0
  /** The beginning of a line whose end is not written yet, or never will be. */
  private rest = Buffer.alloc(0)
  private readonly file: FileHandle

  constructor(file: FileHandle) {
    this.file = file
  }

  get isCut(): boolean {
    return this.rest.length > 0
  }

  async toEnd(): Promise<void> {
    for (;;) {
      const { bytesRead, buffer } = await this.file.read(Buffer.alloc(readAtOnce), 0, readAtOnce, this.position)
      if (bytesRead === 0) return
      this.position += bytesRead
      const text = Buffer.concat([this.rest, buffer.subarray(0, bytesRead)])
      const end = text.lastIndexOf(10) + 1
      this.rest = Buffer.from(text.subarray(end))
      for (const line of text.subarray(0, end).toString('utf8').split('\n')) if (line !== '') this.take(line)
    }
  }

  private take(line: string): void {
    if (this.lines++ === 0) {
      this.head = Head.safeParse(JSON.parse(line)).data?.sandbox
      return
    }
    const movement = parse(line)
    if (!movement) {
      this.unreadable++
      return
    }
    const { key, kind, amountCents, earlierCents = 0, of } = movement
    if (this.byKey.has(key)) return
    this.byKey.set(key, movement)
    this.balanceCents += effectOf(movement)
    if (kind === 'CHARGE') this.charges.set(of, [...(this.charges.get(of) ?? []), movement])
    if (kind === 'REFUND' || kind === 'VOID' || kind === 'DISPUTE')
      this.givenBack.set(of, (this.givenBack.get(of) ?? 0) + amountCents - earlierCents)
  }
}

export type Movements = {
  /** The database that the file belongs to. */
  id: string
  path: string
  /** The first movement of each key. */
  all: () => Promise<ReadonlyMap<string, Movement>>
  /** How many lines a crash has cut short. */
  unreadable: () => number
  find: (key: string) => Promise<Movement | undefined>
  /** The charges of a campaign, including those given back. */
  chargesOf: (campaignId: string) => Promise<readonly Movement[]>
  /** What was charged, minus what was paid out and given back. */
  balanceCents: () => Promise<number>
  /** What was given back of a charge: by refunds, and because nobody knew of it. */
  givenBack: (chargeId: string) => Promise<number>
  /** Returns the first movement with this key, which may be an earlier one. */
  record: (movement: Movement) => Promise<Movement>
  close: () => Promise<void>
}

type Waiting = { movement: Movement; done: (recorded: Movement) => void; failed: (error: unknown) => void }

/** Opens an existing file only; never creates one. */
const appending = constants.O_RDWR | constants.O_APPEND

/** Undefined if there is no such file; throws if it is not a sandbox file. */
export const openMovements = async (path: string, { write }: { write: boolean }): Promise<Movements | undefined> => {
  const file = await open(path, write ? appending : constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return undefined
  const reader = new Reader(file)
  const reading = oneAtATime(() => reader.toEnd())
  await reading().catch(() => undefined)
  if (reader.head === undefined) {
    await file.close()
    throw new Error(`${path} is not a file of the sandbox’s movements.`)
  }
  const { byKey } = reader
  const append = together(async (batch: readonly Waiting[]) => {
    await appendNew(file, reader, reading, batch)
  })
  return {
    id: reader.head,
    path,
    all: async () => {
      await reading()
      return byKey
    },
    unreadable: () => reader.unreadable,
    find: async key => {
      await reading()
      return byKey.get(key)
    },
    chargesOf: async campaignId => {
      await reading()
      return reader.charges.get(campaignId) ?? []
    },
    balanceCents: async () => {
      await reading()
      return reader.balanceCents
    },
    givenBack: async chargeId => {
      await reading()
      return reader.givenBack.get(chargeId) ?? 0
    },
    record: movement => new Promise((done, failed) => append({ movement, done, failed })),
    close: () => file.close(),
  }
}

/** Appends only new movements, with one write and one sync for all that wait. */
const appendNew = async (file: FileHandle, reader: Reader, read: () => Promise<void>, batch: readonly Waiting[]) => {
  try {
    await read()
    const fresh = batch.filter(({ movement }) => !reader.byKey.has(movement.key))
    if (fresh.length > 0) {
      const text = Buffer.from(`${reader.isCut ? '\n' : ''}${fresh.map(({ movement }) => lineOf(movement)).join('')}`)
      const { bytesWritten } = await file.write(text)
      if (bytesWritten < text.length) throw new Error('The sandbox’s movements could not be written: is the disk full?')
      await file.datasync()
      await read()
    }
    for (const { movement, done, failed } of batch) {
      const recorded = reader.byKey.get(movement.key)
      if (recorded) done(recorded)
      else failed(new Error(`The movement ${movement.key} was cut short by another server’s. It is tried again.`))
    }
  } catch (error) {
    for (const { failed } of batch) failed(error)
  }
}

/** Calls made during a run share the next run. */
const oneAtATime = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  return () =>
    (next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        running = work()
        return running
      }))
}

/** Items that arrive during a batch form the next batch. */
const together = <T>(work: (batch: readonly T[]) => Promise<void>): ((item: T) => void) => {
  let waiting: T[] = []
  let busy = false
  const drain = async () => {
    busy = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await work(batch)
    }
    busy = false
  }
  return item => {
    waiting.push(item)
    if (!busy) void drain()
  }
}
