/** Unpacking a cluster: its folders are not readable by others, as PostgreSQL requires, and the files are complete. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFilesIn } from '../../testing/openFiles.ts'
import { Unreadable } from './sealing.ts'
import { unpack } from './tar.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldtest-tar-'))
})
afterAll(() => rm(folder, { recursive: true }))

const entry = (name: string, kind: '0' | '5', content = ''): Buffer[] => {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(`${content.length.toString(8).padStart(11, '0')} `, 124)
  header.write(kind, 156)
  const padded = Buffer.alloc(Math.ceil(content.length / 512) * 512)
  padded.write(content)
  return [header, padded]
}

test('only the owner can read folders and files, even a folder that no entry names', async () => {
  const archive = Buffer.concat([
    ...entry('base', '5'),
    ...entry('base/1', '0', 'rows'),
    ...entry('global/deep/2', '0', 'more rows'),
    Buffer.alloc(1024),
  ])
  await unpack(Readable.from([archive]), folder)
  expect(await readFile(join(folder, 'global/deep/2'), 'utf8')).toBe('more rows')
  const modeOf = async (name: string) => (await stat(join(folder, name))).mode & 0o777
  expect(await Promise.all(['base', 'global', 'global/deep'].map(modeOf))).toEqual([0o700, 0o700, 0o700])
  expect(await Promise.all(['base/1', 'global/deep/2'].map(modeOf))).toEqual([0o600, 0o600])
})

test('an archive that ends in the middle of a file leaves none open', async () => {
  const archive = Buffer.concat(entry('cut', '0', 'x'.repeat(1000))).subarray(0, 900)
  await expect(unpack(Readable.from([archive]), folder)).rejects.toThrow(Unreadable)
  expect(await openFilesIn(folder)).toEqual([])
})
