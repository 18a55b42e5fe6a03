/** Writes Scalar's script to the given file, with compressed copies beside it (script.ts). */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

const [, , file] = process.argv
if (file === undefined) throw new Error('node extract.ts FILE')

const app = Fastify()
await app.register(reference, { routePrefix: '/docs', configuration: { url: '/none' } })
const { statusCode, rawPayload: script } = await app.inject('/docs/js/scalar.js')
if (statusCode !== 200 || script.length < 1_000_000)
  throw new Error('Scalar no longer serves its script at js/scalar.js')

const write = async (name: string, content: Buffer) => {
  await writeFile(`${name}.${process.pid}`, content)
  await rename(`${name}.${process.pid}`, name)
}
await mkdir(dirname(file), { recursive: true })
await write(`${file}.gz`, gzipSync(script, { level: 9 }))
// The highest quality takes 20 times as long and saves only a tenth.
await write(`${file}.br`, brotliCompressSync(script, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
await write(file, script)
