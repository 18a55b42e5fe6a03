/** Where a file belongs, and in which order the folders of src may import each other. */

/** Each folder may import those before it. `testing` is not in the list: it may import all, and only tests import it. */
export const folderOrder = [
  'kit',
  'audit',
  'settings',
  'events',
  'notifications',
  'playAddresses',
  'accounts',
  'attachments',
  'ledger',
  'books',
  'campaigns',
  'landing',
  'nda',
  'feedback',
  'reputation',
  'participations',
  'bugs',
  'changes',
  'continuity',
  'testerLists',
  'reports',
  'people',
  'fraud',
  'activity',
  'retention',
  'backups',
  'operations',
  'dashboards',
  'app',
] as const
export type Folder = (typeof folderOrder)[number]

type Area = 'root' | 'server' | 'web'

/** `outside` means scripts, bench, build, e2e, checks and configuration files. */
export type Place =
  | { path: string; folder: Folder; area: Area }
  | { path: string; folder: 'testing' | 'outside' | 'unknown'; area: null }

export const isTest = (path: string): boolean => /\.(test|spec)\.tsx?$/.test(path)

const areaOf = (inside: string): Area => {
  const [first] = inside.split('/')
  if (first === 'server' || first === 'postgres') return 'server'
  return first === 'web' ? 'web' : 'root'
}

export const placeOf = (path: string): Place => {
  const [, name, inside = ''] = /^src\/([^/]+)\/(.*)$/.exec(path) ?? []
  if (name === undefined) return { path, folder: path.startsWith('src/') ? 'unknown' : 'outside', area: null }
  if (name === 'testing') return { path, folder: 'testing', area: null }
  const folder = folderOrder.find(known => known === name)
  return folder ? { path, folder, area: areaOf(inside) } : { path, folder: 'unknown', area: null }
}

/** Whether the order of the folders lets `from` import `to`. */
export const mayUse = (from: Folder, to: Folder): boolean => folderOrder.indexOf(to) <= folderOrder.indexOf(from)
