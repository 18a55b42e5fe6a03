/** Uploaded files in the backups: each is copied once, as it arrives. The content under a name never changes. */
import { fileContent, filesAmong, filesSince, isMissingFile } from '../../attachments/server/attachments.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { counted } from '../../kit/words.ts'
import type { Vault } from './vault.ts'

export const fileName = (name: string): string => `files/${name}`
const ofFile = (listed: string) => listed.slice('files/'.length)

/** Servers' clocks may differ, and an upload may be recorded after a later one. */
const lookBackHours = 0.2
const ever = '1970-01-01T00:00:00.000Z'

/** A missing file may come back, for example when a disk is mounted late, so we look for it again, less and less often. */
type Wait = { untilMs: number; ms: number }
const longestWaitMs = 3_600_000
const againAtOnce = 1000

export class FileCopies {
  #vault: Vault
  /** Files that the next look will find again: all of them after the first look, and those of the last minutes after later ones. */
  #known: Set<string> | undefined
  #missing = new Map<string, Wait>()
  #told = new Set<string>()
  #since = ever
  #onMissing: (error: Error) => void
  #firstWaitMs: number

  /** `onMissing` is called once for files that the storage has lost. They do not hold up others. */
  constructor(vault: Vault, onMissing: (error: Error) => void, firstWaitMs = 60_000) {
    this.#vault = vault
    this.#onMissing = onMissing
    this.#firstWaitMs = firstWaitMs
  }

  /** Copies everything the first time; later what is new, and what was missing. */
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
      new Error(`${counted(lost.length, 'file')} missing from the storage, and so from the backups: ${names}`),
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
    // Moves it to the end, so that every file gets its turn.
    this.#missing.delete(name)
    this.#missing.set(name, { untilMs: performance.now() + ms, ms })
  }

  /** Returns false if the file should exist but does not. */
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
 * Marks files whose attachment is gone; the age of the mark counts from the moment we notice it. If the attachment is back, for
 * example after a restore, the mark is removed.
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
