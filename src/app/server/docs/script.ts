/**
 * Scalar's script for the page that shows the API document, compressed once and served from disk. Its package holds it as a 4.3
 * MB string inside a module, which a separate process extracts so that no server has it in memory.
 */
import { spawn } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { projectRoot } from '../../../kit/server/root.ts'

export const scriptFolder = join(projectRoot, 'dist', 'docs')

const versionOfScalar = async () => {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  const { version } = JSON.parse(await readFile(join(dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}

const extract = (file: string) =>
  new Promise<void>((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'extract.ts'), file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.once('error', reject)
    child.once('exit', code =>
      code === 0 ? resolve() : reject(new Error(`The script of /docs could not be built (exit code ${code}).`)),
    )
  })

let made: Promise<string> | undefined

const make = async () => {
  const name = `scalar-${await versionOfScalar()}.js`
  const file = join(scriptFolder, name)
  // This file is written last, so if it exists, its compressed copies do too.
  if (!(await stat(file).catch(() => undefined))) await extract(file)
  return name
}

/** The name of the script's file, whose content never changes. The file is made when it is first needed. */
export const scriptName = (): Promise<string> => {
  made ??= make().catch((error: unknown) => {
    made = undefined
    throw error
  })
  return made
}
