/** A place has one key: nothing is written or removed with another key, even if a release that wrote no marks began the place. */
import { randomBytes, randomUUID } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { takeBeside } from './backups.ts'
import { followDatabase } from './following.ts'
import { assertOurs, claimPlace } from './ownership.ts'
import { openVault, type Vault } from './vault.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')

const otherKey = 'were encrypted with a key other than this BACKUP_KEY, so nothing was written there.'
const fail = (error: Error) => {
  throw error
}
const base = (startedAt: string) => `bases/fieldtest_backup_once_1_a/${startedAt}/manifest`

/** The same place, opened with the right key and with another. */
const newPlace = async () => {
  const place = join(t.dataDir, randomUUID())
  const [right, wrong] = await Promise.all([randomBytes(32), randomBytes(32)].map(key => openVault(place, key)))
  const markOf = async () => (await right!.list('installation'))[0]!.name
  const olderBy = async (name: string, hours: number) => {
    const at = Date.now() / 1000 - hours * 3600
    await utimes(join(place, name), at, at)
  }
  return { right: right!, wrong: wrong!, markOf, olderBy }
}
const files = async (vault: Vault) =>
  (await Promise.all(['installation', 'bases', 'log', 'files', 'erased', 'gone', 'tidied'].map(vault.list))).flat()

/** Whether or not it was refused, nothing was written or removed. */
const expectRefused = async (vault: Vault) => {
  const before = await files(vault)
  await expect(assertOurs(vault)).rejects.toThrow(otherKey)
  await expect(takeBeside(vault, 1, fail)).rejects.toThrow(otherKey)
  expect(await files(vault)).toEqual(before)
}

test('the first key to claim a place is its only one, even before anything else is there', async () => {
  const { right, wrong } = await newPlace()
  await assertOurs(right)
  await expectRefused(wrong)
  await assertOurs(right)
})

test('of two installations that claim an empty place at the same time one gets it, and the other is refused', async () => {
  const place = join(t.dataDir, randomUUID())
  const bothLooked = Promise.withResolvers<void>()
  const bothWrote = Promise.withResolvers<void>()
  let written = 0
  const claiming = async () => {
    const id = randomUUID()
    const vault = await openVault(place, randomBytes(32))
    const mark = `installation/${id}`
    let isFirst = true
    // Neither mark is there before both have looked, and neither looks again before both are.
    const write: Vault['write'] = async (name, content) => {
      if (isFirst && ++written === 2) bothLooked.resolve()
      await bothLooked.promise
      await vault.write(name, content)
      if (isFirst && ++written === 4) bothWrote.resolve()
      isFirst = false
      await bothWrote.promise
    }
    return { mark, vault, claimed: claimPlace({ ...vault, write }, mark) }
  }
  const both = await Promise.all([claiming(), claiming()])
  const outcomes = await Promise.allSettled(both.map(({ claimed }) => claimed))
  const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
  expect(outcomes[1 - winner]).toMatchObject({ reason: { name: 'ForeignPlace' } })
  const { vault, mark } = both[winner]!
  expect((await files(vault)).map(({ name }) => name)).toEqual([mark])
  await claimPlace(vault, mark)
})

test('of two servers with different keys that claim an empty place at the same time one gets it, and the other is refused', async () => {
  const { right, wrong } = await newPlace()
  const rightWrites = Promise.withResolvers<void>()
  const wrongLooked = Promise.withResolvers<void>()
  const first = assertOurs({
    ...right,
    write: async (name, content) => {
      rightWrites.resolve()
      await wrongLooked.promise
      await right.write(name, content)
    },
  })
  const second = rightWrites.promise.then(() =>
    assertOurs({
      ...wrong,
      list: async name => {
        const found = await wrong.list(name)
        wrongLooked.resolve()
        return found
      },
      write: async (name, content) => {
        await first
        await wrong.write(name, content)
      },
    }),
  )
  await first
  await expect(second).rejects.toThrow(otherKey)
  await assertOurs(right)
})

test('a mark that another key overwrites in the same moment gives nobody the place but that key', async () => {
  const { right, wrong } = await newPlace()
  const write: Vault['write'] = async (name, content) => {
    await right.write(name, content)
    await wrong.write(name, content)
  }
  await expect(assertOurs({ ...right, write })).rejects.toThrow(otherKey)
  await assertOurs(wrong)
})

test.each(['log/a/000000010000000000000001.00000000', 'files/a', 'erased/a', base('2026-11-22T12-00-00.000Z')])(
  'a place without a mark belongs to the key of %s',
  async name => {
    const { right, wrong } = await newPlace()
    await right.write(name, [Buffer.from('[]')])
    await expectRefused(wrong)
    await assertOurs(right)
    await expectRefused(wrong)
  },
)

test('in a place without a mark the oldest base backup decides, whatever a wrong key has written later', async () => {
  const { right, wrong } = await newPlace()
  await wrong.write(base('2026-11-23T12-00-00.000Z'), [])
  await right.write(base('2026-11-22T12-00-00.000Z'), [])
  await expectRefused(wrong)
  await assertOurs(right)
})

test('a mark that a wrong key wrote beside older base backups is replaced by their key', async () => {
  const { right, wrong, markOf, olderBy } = await newPlace()
  await assertOurs(wrong)
  const name = base('2026-11-22T12-00-00.000Z')
  await right.write(name, [])
  await olderBy(name, 2)
  await olderBy(await markOf(), 1)
  await assertOurs(right)
  await right.remove(name)
  await assertOurs(right)
  await expectRefused(wrong)
})

test('a base backup written with a wrong key does not give that key the place', async () => {
  const { right, wrong, olderBy } = await newPlace()
  await assertOurs(right)
  await right.write(base('2026-11-22T12-00-00.000Z'), [])
  const left = base('2026-11-23T12-00-00.000Z')
  await wrong.write(left, [])
  // Simulates a copy of the place, whose files are as old as the copy.
  for (const name of [base('2026-11-22T12-00-00.000Z'), left]) await olderBy(name, 1)
  await expectRefused(wrong)
  await assertOurs(right)
})

test('a damaged base backup is skipped, and the next one decides', async () => {
  const { right, wrong } = await newPlace()
  await right.write(base('2026-11-22T12-00-00.000Z'), [])
  await right.write(base('2026-11-23T12-00-00.000Z'), [])
  const unreadable = (vault: Vault): Vault => ({
    ...vault,
    readWhole: name =>
      name === base('2026-11-22T12-00-00.000Z') ? Promise.reject(new Error('damaged')) : vault.readWhole(name),
  })
  await expect(assertOurs(unreadable(wrong))).rejects.toThrow(otherKey)
  await assertOurs(unreadable(right))
})

test('a place that does not answer is not mistaken for an empty one or for ours', async () => {
  const { right } = await newPlace()
  await assertOurs(right)
  const silent: Vault = { ...right, readWhole: () => Promise.reject(new Error('no answer')) }
  await expect(assertOurs(silent)).rejects.toThrow('no answer')
})

test('an admin sees on both pages that a place refuses its backups, for as long as it does', async () => {
  const { right, wrong } = await newPlace()
  await assertOurs(right)
  const refused = async () => {
    const { needs } = (await admin.call<{ needs: { kind: string }[] }>('GET', '/dashboard/needs')).body
    const { backupsRefused } = (await admin.call<{ backupsRefused: string | null }>('GET', '/admin/operations')).body
    return { needed: needs.some(({ kind }) => kind === 'BACKUPS_REFUSED'), why: backupsRefused }
  }
  expect(await refused()).toEqual({ needed: false, why: null })
  // It is refused before PostgreSQL is asked for anything.
  const source = { replicationUrl: '', embedded: false }
  const end = followDatabase({ vault: wrong, source, keepDays: 1, onError: () => undefined })
  await expect.poll(refused).toEqual({ needed: true, why: expect.stringContaining(otherKey) as string })
  await end()
  expect(await refused()).toEqual({ needed: false, why: null })
})
