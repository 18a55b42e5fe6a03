import { readFileSync } from 'node:fs'

/** Whether the tests of this file use the application that files share (prologue.ts), which they request without any settings. */
export const sharesApplication = (path: string): boolean =>
  /testApp\((\{\}, \{ fresh: true \})?\)/.test(readFileSync(path, 'utf8'))
