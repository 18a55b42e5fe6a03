/**
 * A server starts with the encryption key of its database or not at all, and no key is made while data is encrypted with another
 * one.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { poolOf } from '../../kit/server/connections.ts'
import { announceRelease, releaseOfSchema } from '../../kit/server/releases.ts'
import { seal, useEncryptionKeys } from '../../kit/server/encryption.ts'
import { cloneTemplate, emptyDatabase, productUrlOf } from '../../testing/databases.ts'
import { runScript } from '../../testing/installation.ts'
import { superuserOf } from '../../testing/plans.ts'
import { startBackend } from './boot.ts'
import { readEnv } from './env.ts'

const newKey = () => randomBytes(32).toString('base64')
const fail = (error: unknown) => {
  throw error
}

let url = ''
let dataDir = ''
const said: string[] = []
beforeEach(async () => {
  said.splice(0)
  url = await cloneTemplate(inject('serverUrl'))
  dataDir = join(inject('scratch'), `secrets-${randomUUID()}`)
})
const keyFile = () => join(dataDir, 'encryption-key')

const connections = () =>
  asked(`select application_name from pg_stat_activity
    where datname = current_database() and application_name like 'fieldtest%' and state = 'idle'`)

/** "ready", or why not. A refused start leaves nothing running. */
const start = async (env: Record<string, string> = {}, as = productUrlOf(url)): Promise<string> => {
  const settings = readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env })
  try {
    const stop = await startBackend(settings, as, {
      ownerUrl: url,
      onError: fail,
      say: line => said.push(line),
      work: false,
    })
    await stop()
    return 'ready'
  } catch (error) {
    // By now, since the caller may start again at once.
    expect(() => poolOf('reads')).toThrow('connect() the database first')
    await expect.poll(connections, { timeout: 10_000 }).toEqual([])
    return (error as Error).message
  }
}
const asked = async (text: string, values: unknown[] = []) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows
  } finally {
    await client.end()
  }
}
/** Leaves what enrolling an authenticator app leaves. */
const sealSomething = async (key: string) => {
  useEncryptionKeys([key])
  const id = randomUUID()
  await asked(
    `insert into users (id, email, name, role, password_hash, created_at) values ($1, $2, 'Ann', 'TESTER', 'x', now())`,
    [id, `${id}@example.test`],
  )
  await asked('insert into totp_secrets (user_id, secret, created_at) values ($1, $2, now())', [
    id,
    seal('JBSWY3DPEHPK3PXP', `totp:${id}`),
  ])
}
const replaceKey = (env: Record<string, string> = {}, ...options: string[]) =>
  runScript('admin', ['replace-encryption-key', ...options], { DATABASE_URL: url, DATA_DIR: dataDir, ...env })

const doesNotOpen = 'cannot decrypt the data in this database.'

describe('with a key file', () => {
  test('a missing one is not made anew, and the server starts once the right one is back', async () => {
    expect(await start()).toBe('ready')
    const key = await readFile(keyFile(), 'utf8')
    await rm(keyFile())
    expect(await start()).toContain(
      `${keyFile()} is missing, and this database has data that only its key can decrypt.`,
    )
    expect(await readdir(dataDir)).not.toContain('encryption-key')
    expect(await start({ ENCRYPTION_KEY: key })).toBe('ready')
    await writeFile(keyFile(), key)
    expect(await start()).toBe('ready')
  })

  test('one with another key is reported and left as it is', async () => {
    expect(await start()).toBe('ready')
    const other = newKey()
    await writeFile(keyFile(), other)
    expect(await start()).toContain(`The key in ${keyFile()} ${doesNotOpen} Put the right file back`)
    expect(await readFile(keyFile(), 'utf8')).toBe(other)
  })

  test('an empty one is reported and left as it is', async () => {
    expect(await start()).toBe('ready')
    await writeFile(keyFile(), '')
    expect(await start()).toContain(`${keyFile()} is empty. Put your copy of it back`)
    expect(await readFile(keyFile(), 'utf8')).toBe('')
  })

  test('a start that is refused because of it makes no JWT secret, which would sign everybody out', async () => {
    expect(await start()).toBe('ready')
    await writeFile(keyFile(), newKey())
    await rm(join(dataDir, 'jwt-secret'))
    expect(await start()).toContain(doesNotOpen)
    expect(await readdir(dataDir)).not.toContain('jwt-secret')
    expect(said).toEqual([])
  })

  test('a missing JWT secret is made anew, and the start says so', async () => {
    expect(await start()).toBe('ready')
    const file = join(dataDir, 'jwt-secret')
    await rm(file)
    expect(await start()).toBe('ready')
    expect((await readFile(file, 'utf8')).length).toBeGreaterThanOrEqual(32)
    expect(said).toEqual([`${file} is missing: a new one is created, and everybody has to sign in again.`])
  })
})

describe('with ENCRYPTION_KEY', () => {
  test('a start that is refused for it leaves no role behind in a database that is not its own', async () => {
    const owner = `owner_${randomUUID().replaceAll('-', '')}`
    const superuser = new pg.Client({ connectionString: superuserOf(url) })
    await superuser.connect()
    const empty = await emptyDatabase(inject('serverUrl'))
    await superuser.query(
      `create role ${owner} login password 'x' createrole; create role ${owner}_shop login password 'x'`,
    )
    await superuser.query(`alter database ${new URL(empty).pathname.slice(1)} owner to ${owner}`)
    const as = (user: string) => Object.assign(new URL(empty), { username: user, password: 'x' }).href
    url = as(owner)
    expect(await start({ ENCRYPTION_KEY: newKey() }, as(`${owner}_shop`))).toBe('ready')
    expect(await start({ ENCRYPTION_KEY: newKey() }, as(owner))).toContain(doesNotOpen)
    expect((await superuser.query(`select from pg_roles where rolname = '${owner}_app'`)).rowCount).toBe(0)
    await superuser.end()
  })

  test('another one is refused, also where nothing but the sample tells', async () => {
    const [ENCRYPTION_KEY, other] = [newKey(), newKey()]
    expect(await start({ ENCRYPTION_KEY })).toBe('ready')
    expect(await start({ ENCRYPTION_KEY: other })).toContain(`ENCRYPTION_KEY ${doesNotOpen} Set the key`)
    expect(await start({ ENCRYPTION_KEY })).toBe('ready')
  })

  test('a change of the key is accepted together with the previous one, and later without it', async () => {
    const [first, second] = [newKey(), newKey()]
    expect(await start({ ENCRYPTION_KEY: first })).toBe('ready')
    // Servers whose key has not been changed yet know both.
    for (const [now, before] of [
      [first, second],
      [second, first],
      [first, second],
      [second, first],
    ] as const)
      expect(await start({ ENCRYPTION_KEY: now, ENCRYPTION_KEY_PREVIOUS: before })).toBe('ready')
    expect(await start({ ENCRYPTION_KEY: second })).toBe('ready')
    expect(await start({ ENCRYPTION_KEY: first })).toContain(doesNotOpen)
  })

  test('in a database from before the sample, what is encrypted tells the right key', async () => {
    const [key, other] = [newKey(), newKey()]
    await sealSomething(key)
    expect(await start({ ENCRYPTION_KEY: other })).toContain(doesNotOpen)
    expect(await start()).toContain('is missing, and this database has data that only its key can decrypt.')
    expect(await asked('select from key_sample')).toEqual([])
    expect(await start({ ENCRYPTION_KEY: other, ENCRYPTION_KEY_PREVIOUS: key })).toBe('ready')
    expect(await start({ ENCRYPTION_KEY: other })).toBe('ready')
  })

  test('a copy restored from before the sample gets none, because its key may still have to be found', async () => {
    await asked(`insert into job_pauses (id, reason, note, paused_at) values ($1, 'RESTORED', 'Restored.', now())`, [
      randomUUID(),
    ])
    expect(await start({ ENCRYPTION_KEY: newKey() })).toBe('ready')
    expect(await asked('select from key_sample')).toEqual([])
    const ENCRYPTION_KEY = newKey()
    await asked('update job_pauses set resumed_at = paused_at')
    expect(await start({ ENCRYPTION_KEY })).toBe('ready')
    expect(await asked('select from key_sample')).toHaveLength(1)
  })

  test('a restored copy requires the right key as well', async () => {
    const [key, other] = [newKey(), newKey()]
    expect(await start({ ENCRYPTION_KEY: key })).toBe('ready')
    await asked(`insert into job_pauses (id, reason, note, paused_at) values ($1, 'RESTORED', 'Restored.', now())`, [
      randomUUID(),
    ])
    expect(await start({ ENCRYPTION_KEY: other })).toContain(doesNotOpen)
    expect(await start({ ENCRYPTION_KEY: key })).toBe('ready')
  })
})

describe('replace-encryption-key', () => {
  test('makes the first key of a database in which nothing is encrypted yet', async () => {
    expect(await replaceKey()).toMatchObject({ code: 0 })
    expect(await start()).toBe('ready')
  })

  test('replaces a key that is lost for good, and is recorded in the audit log', async () => {
    expect(await start()).toBe('ready')
    const lost = await readFile(keyFile(), 'utf8')
    await rm(keyFile())
    expect(await replaceKey()).toMatchObject({ code: 1, said: expect.stringContaining('is missing') as string })
    expect(await replaceKey({}, '--make')).toMatchObject({
      code: 0,
      said: expect.stringContaining('Keep a copy') as string,
    })
    expect(await readFile(keyFile(), 'utf8')).not.toBe(lost)
    expect(await start()).toBe('ready')
    expect(await start({ ENCRYPTION_KEY: lost })).toContain(doesNotOpen)
    expect(await asked(`select admin_id from audit_log where action = 'settings.replace-key'`)).toEqual([
      { admin_id: null },
    ])
  })

  test('leaves a file that it cannot read as it is, and is refused while a server runs', async () => {
    expect(await start()).toBe('ready')
    const key = await readFile(keyFile(), 'utf8')
    await writeFile(keyFile(), key.slice(1))
    expect(await replaceKey({}, '--make')).toMatchObject({
      code: 1,
      said: expect.stringContaining('is damaged') as string,
    })
    expect(await readFile(keyFile(), 'utf8')).toBe(key.slice(1))
    const server = new pg.Client({ connectionString: url })
    await server.connect()
    await announceRelease(server, await releaseOfSchema(server))
    expect(await replaceKey({ ENCRYPTION_KEY: newKey() })).toMatchObject({
      code: 1,
      said: expect.stringContaining('A server is still running on this database') as string,
    })
    await server.end()
    expect(await start({ ENCRYPTION_KEY: key })).toBe('ready')
  })

  test('says which keys are involved and how much is lost, and accepts the lost one again once it is found', async () => {
    const [lost, other] = [newKey(), newKey()]
    expect(await start({ ENCRYPTION_KEY: lost })).toBe('ready')
    await sealSomething(lost)
    const idOf = async () =>
      String((await asked(`select encode(substring(sealed from 2 for 4), 'hex') as id from key_sample`))[0]?.id)
    const lostId = await idOf()
    const { said: answer } = await replaceKey({ ENCRYPTION_KEY: other })
    expect(answer).toContain(`with the ID ${await idOf()}`)
    expect(answer).toContain(`The previous key had the ID ${lostId}.`)
    expect(answer).toContain('1 authenticator app; Play addresses: 0.')
    expect(await replaceKey({ ENCRYPTION_KEY: lost })).toMatchObject({
      code: 0,
      said: expect.stringContaining('0 authenticator apps; Play addresses: 0.') as string,
    })
    expect(await start({ ENCRYPTION_KEY: lost })).toBe('ready')
  })

  test('a server that was starting meanwhile does not continue with the previous key', async () => {
    const [lost, other] = [newKey(), newKey()]
    useEncryptionKeys([other])
    const sample = seal('Fieldtest', 'key sample')
    expect(await start({ ENCRYPTION_KEY: lost })).toBe('ready')
    const replacing = new pg.Client({ connectionString: url })
    await replacing.connect()
    await replacing.query('set idle_in_transaction_session_timeout = 0')
    await replacing.query('begin')
    await replacing.query('update key_sample set sealed = $1', [sample])
    const starting = start({ ENCRYPTION_KEY: lost })
    await expect
      .poll(
        () => asked(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
        {
          timeout: 30_000,
        },
      )
      .toHaveLength(1)
    await replacing.query('commit')
    expect(await starting).toContain(doesNotOpen)
    await replacing.end()
  })

  test('changes nothing if the current key is the right one', async () => {
    const ENCRYPTION_KEY = newKey()
    expect(await start({ ENCRYPTION_KEY })).toBe('ready')
    const before = await asked('select sealed from key_sample')
    expect(await replaceKey({ ENCRYPTION_KEY })).toMatchObject({
      code: 0,
      said: expect.stringContaining('Nothing was changed.') as string,
    })
    expect(await asked('select sealed from key_sample')).toEqual(before)
  })
})
