/**
 * Reports which files below a folder change. It watches directories, never files: many editors save by renaming a new file
 * over the old one, after which a watch on the old file reports nothing (`node --watch`) or misses a save that follows
 * closely (chokidar 3, which Vite uses).
 */
import { type FSWatcher, watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

export type FileEvent = 'add' | 'change' | 'unlink'

/** One save causes several events, and after the first the file may still be empty. */
const settleMs = 30

/** Ignores the folders that `skips` accepts. Once everything is watched, resolves with a function that stops watching. */
export const watchFiles = async (
  root: string,
  { skips, onEvent }: { skips: (folder: string) => boolean; onEvent: (event: FileEvent, file: string) => void },
): Promise<() => void> => {
  const folders = new Map<string, FSWatcher>()
  const files = new Set<string>()
  const settling = new Map<string, NodeJS.Timeout>()

  /** `report`: whether files already in the folder count as added, which is so only for a folder that is new. */
  const watchFolder = async (folder: string, report: boolean): Promise<void> => {
    if (folders.has(folder) || skips(folder)) return
    const watcher = watch(folder, (_type, name) => {
      if (name !== null) checkSoon(join(folder, name))
    })
    watcher.on('error', () => unwatch(folder))
    folders.set(folder, watcher)
    const entries = await readdir(folder, { withFileTypes: true })
    await Promise.all(
      entries.map(async entry => {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) await watchFolder(path, report)
        else if (entry.isFile()) present(path, report)
      }),
    )
  }

  const unwatch = (folder: string) => {
    folders.get(folder)?.close()
    folders.delete(folder)
  }

  const present = (file: string, report: boolean) => {
    const event = files.has(file) ? 'change' : 'add'
    files.add(file)
    if (report) onEvent(event, file)
  }

  /** `path` may have been a file, or a folder with everything in it. */
  const removed = (path: string) => {
    const isRemoved = (known: string) => known === path || known.startsWith(path + sep)
    for (const folder of [...folders.keys()].filter(isRemoved)) unwatch(folder)
    for (const file of [...files].filter(isRemoved)) {
      files.delete(file)
      onEvent('unlink', file)
    }
  }

  const checkSoon = (path: string) => {
    clearTimeout(settling.get(path))
    settling.set(
      path,
      setTimeout(() => void check(path), settleMs),
    )
  }

  const check = async (path: string) => {
    settling.delete(path)
    try {
      const found = await stat(path)
      if (found.isDirectory()) await watchFolder(path, true)
      else if (found.isFile()) present(path, true)
    } catch {
      removed(path)
    }
  }

  await watchFolder(root, false)
  return () => {
    for (const timer of settling.values()) clearTimeout(timer)
    for (const watcher of folders.values()) watcher.close()
  }
}
