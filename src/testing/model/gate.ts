/**
 * Runs all transactions on one connection, with a scheduler that decides whose turn is next. A use case runs until it wants a
 * connection (to begin a transaction, or for a single statement) or talks to the provider, and waits there for its turn.
 * The turns alone decide what happens: the same turns give the same history.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { poolOf } from '../../kit/server/connections.ts'
import type { PoolName } from '../../kit/server/limits.ts'
import { shareWrites } from '../../kit/server/lines.ts'

export type Turn = {
  /** The texts of its statements. */
  statements: string[]
}

/** Longer than anything takes unless it is stuck. */
const stuckMs = 30_000

const actors = new AsyncLocalStorage<Actor<unknown>>()

/** One call of a use case, or one run of a job. */
export class Actor<T> {
  result: PromiseSettledResult<T> | undefined
  statements: string[] = []
  private readonly waiting: (() => void)[] = []
  private holding = 0
  private dead = false
  private asking = 0
  /** Continues the product as if it had waited too long; undefined if it waits for nothing. */
  private late: (() => void) | undefined
  private whenIdle: (() => void) | undefined

  constructor(work: () => Promise<T>) {
    void actors
      .run(this as Actor<unknown>, () => Promise.allSettled([Promise.resolve().then(work)]))
      .then(([result]) => {
        this.result = result
        this.look()
      })
  }

  /** An actor that has answered may still have work under way that nobody waits for. */
  get isOver(): boolean {
    return this.dead || (this.result !== undefined && this.waiting.length === 0)
  }

  /** A request is on its way to the provider, or its answer on the way back. */
  get isAsking(): boolean {
    return this.asking > 0
  }

  get mayBeLate(): boolean {
    return this.late !== undefined && this.result === undefined
  }

  waitAtMost(late: () => void): void {
    this.late = late
  }

  /** Lets the waiting time pass. */
  async beLate(): Promise<void> {
    const { late } = this
    this.late = undefined
    late?.()
    await this.settled()
  }

  async boundaryAtProvider(): Promise<void> {
    this.asking++
    await this.boundary()
    this.asking--
  }

  /** Waits for a turn. */
  boundary(): Promise<void> {
    return new Promise(go => {
      this.waiting.push(go)
      this.look()
    })
  }

  hold(): void {
    this.holding++
  }

  release(): void {
    this.holding--
    this.look()
  }

  get isHolding(): boolean {
    return this.holding > 0
  }

  private get isIdle(): boolean {
    return this.holding === 0 && (this.result !== undefined || this.waiting.length > 0)
  }

  /** Deferred, because whatever was just answered continues first. */
  private look(): void {
    if (this.whenIdle && this.isIdle)
      setImmediate(() => {
        if (this.isIdle) this.whenIdle?.()
      })
  }

  /** Resolves when it waits for its next turn, or has ended. */
  async settled(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.whenIdle = resolve
    const timer = setTimeout(() => reject(new Error(`stuck after: ${this.statements.at(-1)}`)), stuckMs)
    this.look()
    try {
      await promise
    } finally {
      clearTimeout(timer)
      this.whenIdle = undefined
    }
  }

  /** Runs one transaction, one statement, or one question to the provider. */
  async turn(): Promise<Turn> {
    const go = this.waiting.shift()
    if (!go || this.dead) throw new Error('there is nothing that waits for a turn')
    this.statements = []
    go()
    await this.settled()
    return { statements: this.statements }
  }

  /** The process that ran it dies here, so it never continues. */
  die(): void {
    this.dead = true
    this.waiting.length = 0
  }
}

/** Waits for a turn between a call and the provider, and on the way back; does nothing when no history is played. */
export const atProvider = async (): Promise<void> => {
  const actor = actors.getStore()
  // Nobody else could use the connection that it holds.
  if (actor && !actor.isHolding) await actor.boundaryAtProvider()
}

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : ((query as { text?: string }).text ?? '')

const heard = new WeakSet<pg.PoolClient>()
let speaking: Actor<unknown> | undefined

const listen = (client: pg.PoolClient) => {
  if (heard.has(client)) return
  heard.add(client)
  const send = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((...given: unknown[]) => {
    speaking?.statements.push(textOf(given[0]))
    return send(...given)
  }) as typeof client.query
}

/** Without `queue`: pg-boss asks for its queues inside a transaction, and keeps a connection of its own for that. */
const gatedPools: readonly PoolName[] = ['reads', 'writes', 'sessions', 'jobs']

/** How long a request waits for a provider (ledger.ts). A turn, not the machine's clock, decides whether that time passes. */
const waitMs = 3_000

const simulateTimers = (): (() => void) => {
  const real = globalThis.setTimeout
  const simulated = (then: () => void, ms?: number, ...more: unknown[]) => {
    // The native resolve function of a promise; pg's timers pass functions of their own.
    const ends = ms === waitMs && String(then).includes('[native code]')
    const actor = ends ? actors.getStore() : undefined
    if (!actor) return real(then, ms, ...(more as []))
    actor.waitAtMost(then)
    return real(() => undefined, 0)
  }
  globalThis.setTimeout = Object.assign(simulated, real) as unknown as typeof setTimeout
  return () => {
    globalThis.setTimeout = real
  }
}

/** Takes effect until the pools are closed. The returned function restores the machine's timers. */
export const closeGate = (): (() => void) => {
  const one = poolOf('writes')
  const connect = one.connect.bind(one) as () => Promise<pg.PoolClient>
  const gated = async (): Promise<pg.PoolClient> => {
    const actor = actors.getStore()
    await actor?.boundary()
    actor?.hold()
    // The connection's own time limits are not part of the actor.
    const client = await actors.exit(() => connect())
    listen(client)
    speaking = actor
    const release = client.release.bind(client)
    client.release = given => {
      speaking = undefined
      release(given)
      actor?.release()
    }
    return client
  }
  for (const name of gatedPools) poolOf(name).connect = gated as pg.Pool['connect']
  // An actor that dies would never let the next one have its turn.
  shareWrites(false)
  const restoreTimers = simulateTimers()
  return () => {
    shareWrites(true)
    restoreTimers()
  }
}
