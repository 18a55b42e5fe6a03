import { readdir, readlink } from 'node:fs/promises'

const ours = '/proc/self/fd'

/** The paths below `folder` that this process has open; works only on Linux. */
export const openFilesIn = async (folder: string): Promise<string[]> => {
  const paths = await Promise.all((await readdir(ours)).map(fd => readlink(`${ours}/${fd}`).catch(() => '')))
  return paths.filter(path => path.startsWith(`${folder}/`))
}
