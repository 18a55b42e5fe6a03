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

export class FileCopies {
  #vault: Vault
  #known: Set<string> | undefined
  #missing = new Set<string>()
  #since = ever
  #onMissing: (error: Error) => void

  /** `onMissing` is told once of files that the storage has lost: they hold up no others. */
  constructor(vault: Vault, onMissing: (error: Error) => void) {
    this.#vault = vault
    this.#onMissing = onMissing
  }

  /** Of everything at first, then of what came. */
  async copyNew(): Promise<void> {
    const known = (this.#known ??= new Set((await this.#vault.list('files')).map(({ name }) => ofFile(name))))
    const next = hoursAfter(clock.now(), -lookBackHours)
    const lost: string[] = []
    for await (const name of filesSince(this.#since)) {
      if (known.has(name) || this.#missing.has(name)) continue
      if (await this.#copy(name)) known.add(name)
      else lost.push(name)
    }
    this.#since = next
    for (const name of lost) this.#missing.add(name)
    if (lost.length === 0) return
    const names = lost.slice(0, 20).join(', ')
    this.#onMissing(
      new Error(`${counted(lost.length, 'file')} missing in the storage, and so in the backups: ${names}`),
    )
  }

  /** False of a file that should be there and is not. */
  async #copy(name: string): Promise<boolean> {
    try {
      await this.#vault.write(fileName(name), await fileContent(name))
    } catch (error) {
      // Deleted since it was listed.
      if (!(await filesAmong([name])).has(name)) return true
      if (isMissingFile(error)) return false
      throw error
    }
    return true
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
