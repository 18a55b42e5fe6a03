/**
 * Play addresses appear in the two exports of the tester list and, for the tester alone, in open-link, in the form of the next
 * test and in the export of one's own data. No other answer of any call to any role contains them, and they are stored nowhere in
 * readable form. For the log, see logs.test.ts.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { fixturesOf } from '../../testing/fixtures.ts'
import { testApp } from '../../testing/prologue.ts'
import { everyStep, pathOf, type Step } from '../../testing/walk.ts'

const t = testApp({}, { fresh: true })

/** Calls that may show an address, and whose address it may be. */
const shown: Record<string, 'OWNERS_TESTERS' | 'OWN'> = {
  'testerLists.export': 'OWNERS_TESTERS',
  'participations.openLink': 'OWN',
  'participations.joinForm': 'OWN',
  'accounts.exportMe': 'OWN',
}

const mayShow = (name: string, toOwner: boolean, ownOnly: boolean): boolean => {
  if (shown[name] === 'OWNERS_TESTERS') return toOwner
  return shown[name] === 'OWN' && ownOnly
}

/** Neither is the address of an account. */
const addressOf = { own: 'secret.play.own@gmail.com', other: 'secret.play.other@gmail.com' }
/** The last is the one that the walk itself joins with. */
const anyOf = /secret\.play|walker@gmail\.com/i

const textOf = async (person: Person, step: Step, path: string) => {
  const { endpoint, body } = step
  const reply = await t.app.inject({
    method: endpoint.method,
    url: `/api/v1${path}`,
    headers: {
      authorization: `Bearer ${person.accessToken}`,
      'idempotency-key': `walk-${step.name}-${person.user.role}-${path}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  return `${JSON.stringify(reply.headers)}\n${reply.payload}`
}

/** Calls that end a session, a seat or a campaign come last, so that the others find something to show. */
const ends = /logout|deleteMe|resetPassword|end(Other)?Session|changePassword|cancel|leave|ban$|clear$|optOut|withdraw/
const inOrder = everyStep
  .filter(({ endpoint }) => endpoint.upload === undefined)
  .toSorted((a, b) => Number(ends.test(a.name)) - Number(ends.test(b.name)))

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))

const groupLink = 'https://groups.google.com/g/notes-testers'
const modes = [{ accessMode: 'EMAIL_LIST' }, { accessMode: 'GOOGLE_GROUP', groupLink }]

test.each(modes)(
  '$accessMode: answers show Play addresses only to those they are for, and none is stored in readable form',
  async mode => {
    const seen: string[] = []
    const wrong: string[] = []
    const { people, ownPath } = await fixturesOf(t)
    const { DEVELOPER: owner, TESTER: tester, ADMIN: admin } = people
    const other = await t.signUp('TESTER')
    const campaign = await liveCampaign(owner, admin, { ...mode, testersRequired: 5 })
    const own = await joinedBy(tester, campaign.id, addressOf.own)
    const theirs = await joinedBy(other, campaign.id, addressOf.other)
    await owner.call('POST', `/campaigns/${campaign.id}/tester-list/export?form=play`)
    await owner.call('POST', `/campaigns/${campaign.id}/tester-list/confirm`)
    const objects: Record<string, string[]> = {
      campaigns: [campaign.id],
      'campaign-testers': [own.id, theirs.id],
      users: [tester.user.id, other.user.id],
    }
    for (const step of inOrder) {
      for (const [role, person] of Object.entries(people) as [keyof typeof people, Person][]) {
        const ids = step.noun === null ? undefined : objects[step.noun]
        const paths = ids?.map(id => pathOf(step, id)) ?? [ownPath(step, role)]
        const forms = step.name === 'testerLists.export' ? paths.flatMap(path => [path, `${path}?form=play`]) : paths
        for (const path of forms) {
          const text = await textOf(person, step, path)
          if (!anyOf.test(text)) continue
          seen.push(step.name)
          if (!mayShow(step.name, person === owner, person === tester && !text.includes(addressOf.other)))
            wrong.push(`${step.name} as ${role}: ${text.slice(0, 300)}`)
        }
      }
    }
    await t.advance(1)
    expect(wrong).toEqual([])
    // The walk reached every call that may show one.
    expect([...new Set(seen)].toSorted()).toEqual(Object.keys(shown).toSorted())

    const tables = await t.look<{ name: string }>(
      `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
      where schemaname in ('public', 'pgboss')`,
    )
    for (const { name } of tables) {
      const rows = await t.look<{ row: string }>(`select t::text as row from ${name} t`)
      // Bytes are written in hex, so what they decode to is searched as well.
      const said = rows.map(({ row }) =>
        row.replaceAll(/\\\\?x([0-9a-f]+)/g, (_, hex: string) => Buffer.from(hex, 'hex').toString('latin1')),
      )
      expect([name, said.filter(row => anyOf.test(row))]).toEqual([name, []])
    }
    const files = await filesBelow(join(t.mailFolder, '..'))
    expect(files.some(file => file.endsWith('.eml'))).toBe(true)
    for (const file of files) expect([file, anyOf.test(await readFile(file, 'latin1'))]).toEqual([file, false])
  },
)
