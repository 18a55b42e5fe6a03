/** A file of deploy/ with the few texts replaced that have to differ here, such as ports and paths. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../../src/kit/server/root.ts'

export const deployFile = (name: string): string => join(projectRoot, 'deploy', name)

/** Fails if the file lacks a text to replace, because the rehearsal would then test something else. */
export const adapted = async (name: string, target: string, changes: Record<string, string>): Promise<string> => {
  let text = await readFile(deployFile(name), 'utf8')
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`deploy/${name} has no "${from}"`)
    text = text.replaceAll(from, to)
  }
  await writeFile(target, text)
  return target
}
