/** Uploaded files in the backups: each once, as they come. Their content never changes under a name. */
import { fileContent, filesAmong, filesSince, isMissingFile } from '../../attachments/server/attachments.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { counted } from '../../kit/words.ts'
import type { Vault } from './vault.ts'

export const fileName = (name: string): string => `files/${name}`
const ofFile = (listed: string) => listed.slice('files/'.length)

/** Servers' clocks may differ, and an upload may be recorded after a later one. */
const lookBackHours = 0.2
const ever = '1970-01-01T00:00:00.000Z'

/** A file that is missing may come back, as with a disk that was not there yet: it is looked for again, ever less often. */
type Wait = { untilMs: number; ms: number }
const longestWaitMs = 3_600_000
const againAtOnce = 1000

export class FileCopies {
  #vault: Vault
  /** Those that the next look finds again: all of them after the first, of the last minutes from the second on. */
  #known: Set<string> | undefined
  #missing = new Map<string, Wait>()
  #told = new Set<string>()
  #since = ever
  #onMissing: (error: Error) => void
  #firstWaitMs: number

  /** `onMissing` is told once of files that the storage has lost: they hold up no others. */
  constructor(vault: Vault, onMissing: (error: Error) => void, firstWaitMs = 60_000) {
    this.#vault = vault
    this.#onMissing = onMissing
    this.#firstWaitMs = firstWaitMs
  }

  /** Of everything at first, then of what came, and of what was missing. */
  async copyNew(): Promise<void> {
    const known = this.#known ?? new Set((await this.#vault.list('files')).map(({ name }) => ofFile(name)))
    const next = hoursAfter(clock.now(), -lookBackHours)
    const found = new Set<string>()
    for (const name of this.#due()) await this.#copyOrWait(name)
    for await (const name of filesSince(this.#since)) {
      found.add(name)
      if (!known.has(name) && !this.#missing.has(name)) await this.#copyOrWait(name)
    }
    this.#known = found
    this.#since = next
    const lost = [...this.#missing.keys()].filter(name => !this.#told.has(name))
    for (const name of lost) this.#told.add(name)
    if (lost.length === 0) return
    const names = lost.slice(0, 20).join(', ')
    this.#onMissing(
      new Error(`${counted(lost.length, 'file')} missing in the storage, and so in the backups: ${names}`),
    )
  }

  #due(): string[] {
    const due: string[] = []
    for (const [name, { untilMs }] of this.#missing) {
      if (untilMs <= performance.now()) due.push(name)
      if (due.length === againAtOnce) break
    }
    return due
  }

  async #copyOrWait(name: string): Promise<void> {
    if (await this.#copy(name)) {
      this.#missing.delete(name)
      return
    }
    const waited = this.#missing.get(name)?.ms
    const ms = waited === undefined ? this.#firstWaitMs : Math.min(2 * waited, longestWaitMs)
    // Last in the order, so that each has its turn.
    this.#missing.delete(name)
    this.#missing.set(name, { untilMs: performance.now() + ms, ms })
  }

  /** False of a file that should be there and is not. */
  async #copy(name: string): Promise<boolean> {
    let content
    try {
      content = await fileContent(name)
      await this.#vault.write(fileName(name), content)
      return true
    } catch (error) {
      // Deleted since it was listed or found.
      if (!(await filesAmong([name])).has(name)) return true
      if (content === undefined && isMissingFile(error)) return false
      throw error
    }
  }
}

const atOnce = 500

/**
 * Files whose attachment is gone, from the moment that this is noticed; that moment is the age of their mark. One that is back, as
 * after a restore, has no mark any more.
 */
export const tidyFiles = async (vault: Vault, markedBeforeMs: number): Promise<void> => {
  const marks = new Map((await vault.list('gone')).map(({ name, atMs }) => [name.slice('gone/'.length), atMs]))
  const names = (await vault.list('files')).map(({ name }) => ofFile(name))
  for (let from = 0; from < names.length; from += atOnce) {
    const some = names.slice(from, from + atOnce)
    const present = await filesAmong(some)
    for (const name of some) {
      const markedMs = marks.get(name)
      if (present.has(name)) {
        if (markedMs !== undefined) await vault.remove(`gone/${name}`)
      } else if (markedMs === undefined) await vault.write(`gone/${name}`, [])
      else if (markedMs < markedBeforeMs) {
        await vault.remove(fileName(name))
        await vault.remove(`gone/${name}`)
      }
    }
  }
}
