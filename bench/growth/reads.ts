/** Every GET of the product, as every role that may call it, with each filter. Each is repeated; the median counts. */
import type pg from 'pg'
import { type ApiDocument, queriesOf } from '../../src/testing/queries.ts'
import { everyStep, pathOf } from '../../src/testing/walk.ts'
import { median } from '../place.ts'
import { castOf, idFor, type Member } from './cast.ts'
import { rare } from './model.ts'
import { measured, type Measured } from './measured.ts'
import type { Product } from './product.ts'

/** Common and rare words, one to three letters, and a word that does not occur. */
const searches = ['notes', rare.word, 'qqqzzzq', 'n', 'no', 'not']

/** PostgreSQL plans a statement for its values five times, and then may switch to a generic plan. Both are measured. */
const repeats = 9
const slowMs = 1_500

const late = async (product: Product, member: Member, path: string): Promise<string[]> => {
  const { body, next } = await product.call(member, 'GET', path)
  const total = (body as { total?: unknown } | undefined)?.total
  const limit = (body as { limit?: number } | undefined)?.limit ?? 20
  return [
    ...(typeof total === 'number' && total > limit ? [`?page=${Math.min(Math.floor(total / limit), 450)}`] : []),
    ...(next === null ? [] : [`?cursor=${next}`]),
  ]
}

const repeated = async (product: Product, member: Member, address: string): Promise<Measured> => {
  const all: Measured[] = []
  for (let round = 0; round < repeats; round++) {
    const one = measured(await product.call(member, 'GET', address))
    all.push(one)
    if (one.httpMs > slowMs && round > 0) break
  }
  // The first run fills caches. Early runs are planned for their values, later ones possibly with a generic plan.
  const parts = all.length < 5 ? [all.slice(1)] : [all.slice(1, 5), all.slice(6)]
  const medians = parts.map(part => ({ part, ms: median(part.map(({ ms }) => ms)) }))
  const worst = medians.toSorted((a, b) => b.ms - a.ms)[0]!
  return { ...worst.part.at(-1)!, ms: worst.ms, httpMs: median(worst.part.map(({ httpMs }) => httpMs)) }
}

export const measureReads = async (
  product: Product,
  db: pg.Client,
  only: string | undefined,
  say: (line: string) => void,
): Promise<Measured[]> => {
  const cast = await castOf(db)
  const { body } = await product.call(null, 'GET', '/openapi.json')
  const document = body as ApiDocument
  const results: Measured[] = []
  // Reading a file involves no plan of its own, and the seed contains only the rows of files.
  const steps = everyStep.filter(({ endpoint, noun }) => endpoint.method === 'GET' && noun !== 'attachments')
  for (const step of steps.filter(({ name }) => only === undefined || name.includes(only))) {
    for (const member of cast.filter(({ role }) => step.allowed.includes(role))) {
      const id = idFor(member, step)
      if (id === null) continue
      const path = pathOf(step, id)
      const examples = { search: searches, admin: ['example'], campaignId: [member.objects.campaigns ?? ''] }
      const queries = [...queriesOf(document, step.endpoint.path, examples), ...(await late(product, member, path))]
      for (const query of queries) {
        const result = await repeated(product, member, path + query)
        results.push({ ...result, call: step.name, who: member.name, query, report: step.endpoint.report === true })
      }
    }
    say(step.name)
  }
  return results
}
