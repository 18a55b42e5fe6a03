/** Private copies of the tree in a temporary folder; the checkout is only read. */
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copied } from './places.ts'

export type Copy = {
  root: string
  /** The temporary folder of its processes. */
  temporary: string
  write: (path: string, source: string) => void
}

export type Workspace = { copy: (name: string) => Copy; remove: () => void }

export const openWorkspace = (root: string): Workspace => {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'))
  // PostgreSQL may run as another user, who has to be able to enter it.
  chmodSync(folder, 0o711)
  return {
    copy: name => {
      const place = join(folder, name)
      const temporary = join(folder, `${name}-tmp`)
      mkdirSync(place)
      mkdirSync(temporary)
      for (const entry of globSync([...copied], { cwd: root }))
        cpSync(join(root, entry), join(place, entry), { recursive: true })
      symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
      return { root: place, temporary, write: (path, source) => writeFileSync(join(place, path), source) }
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  }
}
