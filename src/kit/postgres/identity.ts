import { spawnSync } from 'node:child_process'
import { chownSync, lchownSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folders in the data folder that a killed start may leave behind; the next start removes them. */
export const scratchPrefix = 'postgres.new-'

/**
 * The user that PostgreSQL runs as. It refuses to run as root, so a server running as root has to choose another
 * identity; and it refuses a data folder that it does not own, so each identity names the owner of the files.
 */
export type Identity = {
  name: string
  /** Prefix of the command, such as `unshare --user …`. */
  prefix: string[]
  /** For spawn; our own if absent. */
  drop?: { uid: number; gid: number }
  /** The owner of the files, as seen from outside; our own user if absent. */
  owner?: { uid: number; gid: number }
}

type Place = { dataDir: string; cluster: string; postgres: string }

type Account = { name: string; uid: number; gid: number }

const isRoot = () => process.getuid?.() === 0

/**
 * The first identity that can actually run PostgreSQL and write to the data folder, in this order: a normal user as
 * itself; root as the owner of the data folder (so that both can keep using it); a user namespace in which root appears
 * as another user (files stay root's, and root's private home is accessible); a system user, where folder permissions
 * allow it; and a system user with the capability to traverse private folders, for containers without user namespaces.
 */
export const chooseIdentity = (place: Place): Identity => {
  const failures: string[] = []
  for (const identity of identities(place)) {
    const failure = probe(identity, place)
    if (failure === undefined) return identity
    failures.push(`${identity.name}: ${failure}`)
  }
  throw new Error(
    `PostgreSQL cannot be run on ${place.dataDir}. It refuses to run as root, and each of these attempts failed: ` +
      `${failures.join('; ')}. Start the server as another user, or give it a database with DATABASE_URL.`,
  )
}

const identities = ({ dataDir, cluster }: Place): Identity[] => {
  const accounts = systemAccounts()
  const hasName = (uid: number) => accounts.some(account => account.uid === uid)
  // initdb looks its user up by uid, so the uid inside the namespace has to exist on the machine.
  const inside = accounts.find(account => account.name === 'daemon') ?? accounts[0]
  const namespace: Identity[] = inside
    ? [
        {
          name: 'user namespace',
          prefix: ['unshare', '--user', `--map-user=${inside.uid}`, `--map-group=${inside.gid}`, '--'],
        },
      ]
    : []
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const plain: Identity = { name: 'own user', prefix: [] }
  // Containers often run with a uid without a name, which initdb does not accept.
  if (!isRoot()) return hasName(self.uid) ? [plain, ...namespace] : [...namespace, plain]

  const made = statSync(cluster, { throwIfNoEntry: false })
  const owner = made ?? statSync(dataDir)
  const asOwner = owner.uid !== 0 && (made || hasName(owner.uid)) ? [dropTo('owner of the data folder', owner)] : []
  const system = ['postgres', '_postgres', 'nobody', 'daemon'].flatMap(
    name => accounts.find(a => a.name === name) ?? [],
  )
  return [
    ...asOwner,
    ...namespace.map(identity => ({ ...identity, owner: self })),
    ...system.slice(0, 2).map(account => dropTo(`user ${account.name}`, account)),
    ...system.slice(0, 1).map(account => passingClosedFolders(account)),
  ]
}

const dropTo = (name: string, { uid, gid }: { uid: number; gid: number }): Identity => ({
  name,
  prefix: [],
  drop: { uid, gid },
  owner: { uid, gid },
})

const passingClosedFolders = ({ name, uid, gid }: Account): Identity => ({
  name: `user ${name} with DAC_OVERRIDE`,
  prefix: [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    // Last: otherwise access(2), which PostgreSQL calls on its own program, would ignore the capability.
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
    '--',
  ],
  owner: { uid, gid },
})

const systemAccounts = (): Account[] => {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map(line => line.split(':'))
      .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
      .filter(({ name, uid, gid }) => name !== '' && uid > 0 && gid > 0)
  } catch {
    return []
  }
}

/**
 * Undefined if the identity works. PostgreSQL is asked for its port, for which it reads a configuration in a temporary folder.
 * Before that it refuses root and locates its own program as initdb does, so an inaccessible folder shows here.
 */
const probe = (identity: Identity, { dataDir, postgres }: Place) => {
  const folder = mkdtempSync(join(dataDir, scratchPrefix))
  const script = ': > "$2/postgresql.conf" && "$1" -D "$2" -C port && rm "$2/postgresql.conf"'
  try {
    giveTo(identity, folder)
    const command: string[] = [...identity.prefix, 'sh', '-c', script, 'sh', postgres, folder]
    const run = spawnSync(command[0] ?? 'sh', command.slice(1), {
      ...identity.drop,
      cwd: '/',
      encoding: 'utf8',
      timeout: 5000,
    })
    if (run.error) return run.error.message
    return run.status === 0 ? undefined : run.stderr.trim().split('\n')[0] || `exit ${run.status ?? run.signal}`
  } catch (error) {
    return (error as Error).message
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Changes the owner of a file, or of a folder and everything in it, to the identity. The folder itself comes last, so an
 * interrupted change is noticed and repeated.
 */
export const giveTo = ({ owner }: Identity, path: string): void => {
  const now = lstatSync(path)
  if (!owner || (now.uid === owner.uid && now.gid === owner.gid)) return
  const inside = now.isDirectory() ? readdirSync(path, { recursive: true, withFileTypes: true }) : []
  for (const { parentPath, name } of inside) lchownSync(join(parentPath, name), owner.uid, owner.gid)
  lchownSync(path, owner.uid, owner.gid)
}

/** Keeps what root creates in a normal user's folder usable for that user. */
export const ownLike = (folder: string, files: string[]): void => {
  if (!isRoot()) return
  const { uid, gid } = statSync(folder)
  if (uid !== 0) for (const file of files) chownSync(file, uid, gid)
}
