/** Plays one short history of the model (src/testing/model) for a lane, which starts it in advance. Argument 1 is the copy. */
import { join } from 'node:path'
import { cloneTemplate } from '../../src/testing/databases.ts'

export type History = { serverUrl: string; seed: number }
/** Null if nothing went wrong. */
export type Play = { failure: string | null }

const actions = 250

const { playAll } = (await import(
  join(process.argv[2]!, 'src/testing/model/histories.ts')
)) as typeof import('../../src/testing/model/histories.ts')

process.once('message', ({ serverUrl, seed }: History) => {
  const newDatabase = () => cloneTemplate(serverUrl)
  playAll({ newDatabase, seed, actions, shortenWithinMs: 0 }).then(
    () => process.send!({ failure: null } satisfies Play),
    (error: unknown) => process.send!({ failure: String(error).slice(0, 2000) } satisfies Play),
  )
})
process.once('disconnect', () => process.exit(0))
process.send!({})
