/**
 * A walk through the specification: each call, route, label and sentence that it names is looked for in the place that it names.
 * The lists are in e2e/spec/, with the section of each.
 */
import { calls, pageSizes } from './spec/calls.ts'
import { adminStands } from './spec/admin.ts'
import { developerStands } from './spec/developer.ts'
import { publicStands } from './spec/public.ts'
import { locate, type Said, type Stand } from './spec/stands.ts'
import { testerStands } from './spec/tester.ts'
import { call, newPerson, type Person } from './support/api.ts'
import { type Marketplace, newMarketplace } from './support/marketplace.ts'
import { expect, type Page, test } from './support/test.ts'

let marketplace: Marketplace
let people: Record<Exclude<Stand['as'], 'VISITOR'>, Person>

test.beforeAll(async () => {
  marketplace = await newMarketplace('Spec')
  people = {
    ...marketplace.people,
    NEW_DEVELOPER: await newPerson('DEVELOPER', 'New Specdev'),
    NEW_TESTER: await newPerson('TESTER', 'New Spectest'),
  }
})

type Schema = {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  oneOf?: Schema[]
}
type Operation = {
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

type ApiDocument = {
  paths: Record<string, Record<string, Operation | undefined>>
  components: { schemas: Record<string, Schema> }
}
let document: ApiDocument

const fieldsOf = (schema: Schema | undefined): string[] => {
  if (!schema) return []
  if (schema.$ref) return fieldsOf(document.components.schemas[schema.$ref.split('/').at(-1)!])
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.oneOf ?? [])]
  return [...Object.keys(schema.properties ?? {}), ...parts.flatMap(fieldsOf)]
}

const json = (content: Record<string, { schema: Schema }> | undefined) => content?.['application/json']?.schema

test('the API document names every call of §7, with its fields', async ({ request }) => {
  const reply = await request.get('/api/v1/openapi.json')
  document = (await reply.json()) as ApiDocument
  const missing: string[] = []
  for (const { call: named, body = [], query = [], answer = [], list } of calls) {
    const [method = '', path = ''] = named.split(' ')
    const operation = document.paths[path]?.[method.toLowerCase()]
    if (!operation) {
      missing.push(named)
      continue
    }
    const asked = fieldsOf(json(operation.requestBody?.content))
    const parameters = (operation.parameters ?? [])
      .filter(parameter => parameter.in === 'query')
      .map(({ name }) => name)
    const good = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
    const answered = json(good?.content)
    const given = fieldsOf(list ? answered?.items : answered)
    missing.push(...body.filter(field => !asked.includes(field)).map(field => `${named}: payload ${field}`))
    missing.push(...query.filter(field => !parameters.includes(field)).map(field => `${named}: query ${field}`))
    missing.push(...answer.filter(field => !given.includes(field)).map(field => `${named}: answer ${field}`))
  }
  expect(calls).toHaveLength(33)
  expect(missing).toEqual([])
})

test('lists begin at page 1 with the sizes of §9', async () => {
  for (const [path, { as, page, limit }] of Object.entries(pageSizes))
    expect(await call(people[as], 'GET', path), path).toMatchObject({ page, limit })
})

const refusal = { statusCode: 418, code: 'NOPE', message: 'Not today.' }

const calledBy = (path: string) => (url: URL) =>
  path === '*' ? url.pathname.startsWith('/api/v1/') : url.pathname === `/api/v1${path}`

const goTo = async (page: Page, { path, refused, held, answered = {} }: Stand) => {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  if (refused) await page.route(calledBy(refused), route => route.fulfill({ status: 418, json: refusal }))
  if (held) await page.route(calledBy(held), () => undefined)
  for (const [call_, answer] of Object.entries(answered))
    await page.route(calledBy(call_), route => route.fulfill({ json: answer }))
  await page.goto(typeof path === 'string' ? path : path(marketplace.ids))
}

const partOf = (page: Page, { within = 'main' }: Stand) => {
  if (within === 'page') return page
  return page.getByRole(within, within === 'navigation' ? { name: 'Main' } : {})
}

const missingIn = async (page: Page, stand: Stand): Promise<string[]> => {
  const isThere = async (said: Said) => {
    const found = locate(partOf(page, stand), said)
    // An option of a closed list exists without being visible.
    const drawn = typeof said === 'object' && 'option' in said ? found : found.filter({ visible: true })
    return drawn
      .first()
      .waitFor({ state: 'attached', timeout: 5000 })
      .then(
        () => true,
        () => false,
      )
  }
  const missing: string[] = []
  for (const said of stand.says) {
    const words = said instanceof RegExp ? String(said) : JSON.stringify(said)
    if (!(await isThere(said))) missing.push(`${stand.spec} (${stand.as}): ${words}`)
  }
  return missing
}

const allStands = [...publicStands, ...developerStands, ...testerStands, ...adminStands]

for (const as of new Set(allStands.map(stand => stand.as))) {
  const stands = allStands.filter(stand => stand.as === as)
  const count = stands.reduce((sum, { says }) => sum + says.length, 0)
  test(`the ${count} labels and sentences of the screens of ${as} are where the spec says`, async ({ open }) => {
    test.setTimeout(240_000)
    const page = await open({
      ...(as !== 'VISITOR' && { as: people[as] }),
      // A visitor's screens include the not-found page.
      provokes: as === 'VISITOR' ? /418|Not today|status of 40[14]/ : /418|Not today|status of 401/,
    })
    const missing: string[] = []
    for (const stand of stands) {
      await goTo(page, stand)
      missing.push(...(await missingIn(page, stand)))
    }
    expect(missing).toEqual([])
  })
}
