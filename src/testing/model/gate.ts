/**
 * All transactions on one connection, and a scheduler that says whose comes next. A use case runs as it is until it wants a
 * connection (to begin a transaction, or for a single statement) or speaks with the provider, and waits there for its turn.
 * Nothing but the turns decides what happens: the same turns give the same history.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { poolOf } from '../../kit/server/connections.ts'
import type { PoolName } from '../../kit/server/limits.ts'

/** What happened in one turn. */
export type Turn = {
  /** The texts of its statements. */
  statements: string[]
}

/** Longer than anything takes that is not stuck. */
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
  /** Calls what the product does after having waited for so long; undefined when it waits for nothing. */
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

  /** What has answered may still have something under way that nobody waits for. */
  get isOver(): boolean {
    return this.dead || (this.result !== undefined && this.waiting.length === 0)
  }

  /** A request is on its way to the provider, or the answer on its way back. */
  get isAsking(): boolean {
    return this.asking > 0
  }

  get mayBeLate(): boolean {
    return this.late !== undefined && this.result === undefined
  }

  waitAtMost(late: () => void): void {
    this.late = late
  }

  /** The time for which it waits has passed. */
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

  /** Not at once: what was answered goes on before. */
  private look(): void {
    if (this.whenIdle && this.isIdle)
      setImmediate(() => {
        if (this.isIdle) this.whenIdle?.()
      })
  }

  /** Until it waits for its next turn, or has ended. */
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

  /** One transaction, one statement, or one question to the provider. */
  async turn(): Promise<Turn> {
    const go = this.waiting.shift()
    if (!go || this.dead) throw new Error('there is nothing that waits for a turn')
    this.statements = []
    go()
    await this.settled()
    return { statements: this.statements }
  }

  /** The process that ran it has died here: it never goes on. */
  die(): void {
    this.dead = true
    this.waiting.length = 0
  }
}

/** Between a call and the provider, and on the way back; nothing where no history is being played. */
export const atProvider = async (): Promise<void> => {
  const actor = actors.getStore()
  // Nobody else could have the connection that it holds.
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

/** pg-boss asks for its queues inside of a transaction, and keeps a connection of its own for it. */
const gatedPools: readonly PoolName[] = ['reads', 'writes', 'sessions', 'jobs']

/** How long a request waits for a provider (ledger.ts): whether that passes is a turn, and no matter of the machine's clock. */
const waitMs = 3_000

const simulateTimers = (): (() => void) => {
  const real = globalThis.setTimeout
  const simulated = (then: () => void, ms?: number, ...more: unknown[]) => {
    // A promise's own function; those of pg are not.
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

/** From now on, until the pools are closed. Gives back the machine's timers when it is called. */
export const closeGate = (): (() => void) => {
  const one = poolOf('writes')
  const connect = one.connect.bind(one) as () => Promise<pg.PoolClient>
  const gated = async (): Promise<pg.PoolClient> => {
    const actor = actors.getStore()
    await actor?.boundary()
    actor?.hold()
    // Its own time limits are no matter of the actor's.
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
  return simulateTimers()
}
