/** Copies the project into a temporary folder, where tests can edit and run it. */
import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { projectRoot } from '../kit/server/root.ts'

const notCopied = new Set(['node_modules', 'dist', 'data', '.git', 'test-results', 'playwright-report', 'coverage'])

/** Returns the folder. It links packages one by one, so that the caches of Vite and Node in its node_modules are its own. */
export const copyProject = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldtest-copy-'))
  await cp(projectRoot, folder, { recursive: true, filter: path => !notCopied.has(basename(path)) })
  const [packages, linked] = [join(projectRoot, 'node_modules'), join(folder, 'node_modules')]
  await mkdir(linked)
  for (const name of await readdir(packages))
    if (!name.startsWith('.')) await symlink(join(packages, name), join(linked, name))
  return folder
}
