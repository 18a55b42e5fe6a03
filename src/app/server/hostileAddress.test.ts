/** Addresses, queries and headers that no honest client sends get a 4xx with a sentence, never a 5xx, and change nothing. */
import { expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { badQueryValues, sentSchema } from '../../testing/badBodies.ts'
import { faultOf, hostileTo, invalid } from '../../testing/hostile.ts'
import { everyStep, pathOf } from '../../testing/walk.ts'

const t = testApp()
const hostile = hostileTo(t)

const withQuery = everyStep.filter(({ endpoint }) => endpoint.query)

test.each(withQuery.map(step => [step.name, step] as const))(
  '%s reports each invalid query parameter by name',
  async (_name, step) => {
    const faults: string[] = []
    for (const { why, name, query } of badQueryValues(step.endpoint.query!)) {
      const fault = faultOf(await hostile.send(step, { path: `${hostile.ownPath(step)}?${query}` }), {
        ...invalid,
        field: name,
      })
      if (fault) faults.push(`${name}: ${why} → ${fault}`)
    }
    expect(faults).toEqual([])
  },
)

test('in every list, an empty filter and ALL mean no filter', async () => {
  const faults: string[] = []
  const taken: string[] = []
  for (const step of withQuery.filter(({ endpoint }) => endpoint.method === 'GET')) {
    for (const [name, property] of Object.entries(sentSchema(step.endpoint.query!).properties ?? {})) {
      const options = (property as { anyOf?: { enum?: unknown[] }[] }).anyOf ?? []
      if (!options.some(option => option.enum?.includes('ALL'))) continue
      taken.push(`${step.name} ${name}`)
      const bare = await hostile.send(step, { path: hostile.ownPath(step) })
      for (const nothing of ['', 'ALL']) {
        const { status, body } = await hostile.send(step, { path: `${hostile.ownPath(step)}?${name}=${nothing}` })
        if (status !== 200 || JSON.stringify(body) !== JSON.stringify(bare.body))
          faults.push(`${step.name}?${name}=${nothing} → ${status}`)
      }
    }
  }
  expect(faults).toEqual([])
  expect(taken.toSorted()).toEqual([
    'audit.auditLog action',
    'bugs.list severity',
    'bugs.list status',
    'bugs.text form',
    'campaigns.available platform',
    'campaigns.available sort',
    'campaigns.available status',
    'campaigns.list platform',
    'campaigns.list sort',
    'campaigns.list status',
    'campaigns.pending platform',
    'campaigns.pending status',
    'campaigns.pendingLinks platform',
    'campaigns.pendingLinks status',
    'disputes.disputes status',
    'fraud.list sample',
    'fraud.list severity',
    'fraud.list status',
    'landing.waitlist role',
    'ledger.transactions campaignId',
    'ledger.transactions status',
    'ledger.transactions type',
    'notifications.groups topic',
    'notifications.groups unread',
    'participations.mine platform',
    'participations.mine status',
    'participations.ofCampaign status',
    'people.list role',
  ])
})

test('characters special to SQL or LIKE are plain text in a search', async () => {
  const searchable = withQuery.filter(({ endpoint }) => 'search' in (sentSchema(endpoint.query!).properties ?? {}))
  expect(searchable.map(({ name }) => name)).toContain('campaigns.list')
  const words = [
    "'",
    '"',
    '\\',
    '%',
    '_',
    'a\\',
    '%\\',
    "'; drop table users; --",
    '$1',
    '{}',
    '٣',
    '👩‍🚀',
    '\u202E',
    'İ',
    'ß',
  ]
  for (const step of searchable) {
    for (const word of words) {
      const { status } = await hostile.send(step, {
        path: `${hostile.ownPath(step)}?search=${encodeURIComponent(word)}`,
      })
      expect([step.name, word, status]).toEqual([step.name, word, 200])
    }
  }
})

test('a malformed id is 404, and a malformed address is 400 or 404', async () => {
  const faults: string[] = []
  const long = 'a'.repeat(300)
  for (const step of everyStep.filter(({ noun }) => noun !== null)) {
    const text = step.body === undefined ? {} : { text: JSON.stringify(step.body) }
    for (const id of [
      '7',
      'not-a-uuid',
      '%00',
      'a%00b',
      '..%2f..%2fusers',
      '%F0%9F%95%B3',
      long,
      '019e8a00-0000-7000-8000-000000000000%20',
      '%ff',
      '%',
      '%zz',
      '%E0%A4%A',
    ]) {
      const reply = await hostile.send(step, { path: pathOf(step, id), ...text })
      const expected = reply.status === 400 ? invalid : { status: 404, code: 'NOT_FOUND' }
      const fault = faultOf(reply, expected)
      if (fault) faults.push(`${step.name} ${id.slice(0, 20)} → ${fault}`)
    }
  }
  expect(faults).toEqual([])
})

test('an Idempotency-Key must be 1 to 255 visible ASCII characters', async () => {
  const paying = everyStep.filter(({ endpoint }) => endpoint.idempotent)
  expect(paying.map(({ name }) => name)).toContain('ledger.withdraw')
  for (const step of paying) {
    const text = step.body === undefined ? {} : { text: JSON.stringify(step.body) }
    for (const key of ['', ' ', 'a b', 'k'.repeat(256), 'ключ', 'é', 'a\tb', 'one, two']) {
      const reply = await hostile.send(step, { ...text, headers: { 'idempotency-key': key } })
      expect([step.name, key, faultOf(reply, invalid)]).toEqual([step.name, key, null])
    }
  }
})
