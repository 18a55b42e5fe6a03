/** Who makes the calls, with objects of their own: at every scale the same kinds of people, with equally many objects. */
import type pg from 'pg'
import type { Step } from '../../src/testing/walk.ts'
import type { Caller } from './product.ts'

/** For each noun in a path, the id of an object. */
type Objects = Record<string, string | undefined>

export type Member = Caller & { objects: Objects }

const one = async (db: pg.Client, text: string, values: unknown[] = []): Promise<string> => {
  const { rows } = await db.query<{ id: string }>(text, values)
  if (!rows[0]) throw new Error(`nobody is like that: ${text}`)
  return rows[0].id
}

const maybe = async (db: pg.Client, text: string, values: unknown[] = []) =>
  (await db.query<{ id: string }>(text, values)).rows[0]?.id

const objectsOfDeveloper = async (db: pg.Client, id: string, seats: number): Promise<Objects> => {
  const campaign = await one(
    db,
    `select id from campaigns where developer_id = $1 and status = 'LIVE' and testers_required = $2 order by id desc limit 1`,
    [id, seats],
  )
  return {
    campaigns: campaign,
    'campaign-testers': await maybe(db, 'select id from participations where campaign_id = $1 limit 1', [campaign]),
    payments: await maybe(db, 'select id from payments where developer_id = $1 limit 1', [id]),
    refunds: await maybe(db, 'select id from refunds where developer_id = $1 limit 1', [id]),
  }
}

const objectsOfTester = async (db: pg.Client, id: string): Promise<Objects> => ({
  campaigns: await one(
    db,
    `select id from campaigns where status = 'LIVE' and seats_taken < testers_required and access_mode = 'OPEN_LINK' limit 1`,
  ),
  'campaign-testers': await one(db, 'select id from participations where tester_id = $1 order by id desc limit 1', [
    id,
  ]),
  payments: undefined,
})

/** A developer with two to four campaigns, one of them live with 12 seats. */
const smallDeveloper = `
  select c.developer_id as id from campaigns c where c.status = 'LIVE' and c.testers_required = 12 and c.seats_taken = 12
    and (select count(*) from campaigns o where o.developer_id = c.developer_id) between 2 and 4 order by c.id limit 1`

const smallTester = `
  select p.tester_id as id from participations p where p.status = 'ACTIVE'
    and (select count(*) from participations o where o.tester_id = p.tester_id) between 4 and 6 order by p.id limit 1`

export const castOf = async (db: pg.Client): Promise<Member[]> => {
  const admin = await one(db, `select id from users where role = 'ADMIN' order by id limit 1`)
  const [busyDeveloper, busyTester] = [
    await one(db, 'select growth.user_id(16) as id'),
    await one(db, 'select growth.user_id(17) as id'),
  ]
  const fullHouse = await one(
    db,
    `select developer_id as id from campaigns where status = 'LIVE' and testers_required = 100 and seats_taken > 0
     order by id desc limit 1`,
  )
  const [developer, tester] = [await one(db, smallDeveloper), await one(db, smallTester)]
  return [
    {
      name: 'admin',
      role: 'ADMIN',
      id: admin,
      objects: {
        ...(await objectsOfDeveloper(db, developer, 12)),
        users: busyTester,
        'fraud-reports': await one(db, 'select id from fraud_reports order by id desc limit 1'),
      },
    },
    {
      name: 'busy developer',
      role: 'DEVELOPER',
      id: busyDeveloper,
      objects: await objectsOfDeveloper(db, busyDeveloper, 12),
    },
    {
      name: 'developer of 100 seats',
      role: 'DEVELOPER',
      id: fullHouse,
      objects: await objectsOfDeveloper(db, fullHouse, 100),
    },
    { name: 'small developer', role: 'DEVELOPER', id: developer, objects: await objectsOfDeveloper(db, developer, 12) },
    { name: 'busy tester', role: 'TESTER', id: busyTester, objects: await objectsOfTester(db, busyTester) },
    { name: 'small tester', role: 'TESTER', id: tester, objects: await objectsOfTester(db, tester) },
  ]
}

/** Null if they have no such object. */
export const idFor = ({ objects }: Member, { noun }: Step): string | null =>
  noun === null ? '' : (objects[noun] ?? null)
