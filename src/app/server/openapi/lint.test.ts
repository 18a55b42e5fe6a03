/** The document satisfies Redocly's recommended rules, as errors. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { testApp } from '../../../testing/prologue.ts'

const t = testApp()

test('the document has no finding by Redocly’s strict recommended rules', async () => {
  const { body } = await t.call('GET', '/openapi.json')
  const config = await createConfig({ extends: ['recommended-strict'] })
  const findings = await lintFromString({ source: JSON.stringify(body), config })
  expect(findings.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  // The rules are in force.
  const broken = await lintFromString({ source: JSON.stringify({ ...body, servers: [] }), config })
  expect(broken.map(({ ruleId }) => ruleId)).toContain('no-empty-servers')
})
