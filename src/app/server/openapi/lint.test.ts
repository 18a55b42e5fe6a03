/**
 * The document satisfies Redocly's recommended rules, as errors. Runs without an application, because linting blocks its thread
 * for seconds.
 */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import type { Endpoint } from '../../../kit/endpoint.ts'
import { apiTables } from '../routes.ts'
import { apiDocument } from './document.ts'

const document = apiDocument(
  Object.entries(apiTables).flatMap(([table, endpoints]) =>
    Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({ table, name, endpoint })),
  ),
)

test('Redocly’s strict recommended rules find nothing in the document', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const findings = await lintFromString({ source: JSON.stringify(document), config })
  expect(findings.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('the rules are in force', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const findings = await lintFromString({ source: JSON.stringify({ ...document, servers: [], paths: {} }), config })
  expect(findings.map(({ ruleId }) => ruleId)).toContain('no-empty-servers')
})
