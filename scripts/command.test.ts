/** What an operator reads when the operating system refuses something. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sentenceOf } from './command.ts'

const caught = (work: Promise<unknown>) => work.then(() => 'nothing was refused', sentenceOf)

test.skipIf(!existsSync('/dev/full'))('a full disk is called that', async () => {
  expect(await caught(writeFile('/dev/full', 'a backup'))).toBe(
    'The disk is full (ENOSPC: no space left on device, write)',
  )
})

test('a folder on a read-only file system is not called missing', () => {
  const refused = Object.assign(new Error("ENOENT: no such file or directory, mkdir '/mnt/b'"), {
    code: 'ENOENT',
    syscall: 'mkdir',
  })
  expect(sentenceOf(refused)).toMatch(/^The folder cannot be created: is the file system read-only\?/)
})

test('other errors say what they say', async () => {
  expect(await caught(writeFile('/no such folder/file', ''))).toMatch(/^ENOENT: no such file or directory, open/)
  expect(sentenceOf(new Error('There is no backup in this place.'))).toBe('There is no backup in this place.')
})
