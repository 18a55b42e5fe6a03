import { expect, test } from 'vitest'
import type { Endpoint } from '../../kit/endpoint.ts'
import { apiTables } from './routes.ts'

const words = { PUBLIC: 'anybody', SIGNED_IN: 'anybody signed in' } as const

const who = ({ access }: Endpoint) =>
  [access]
    .flat()
    .map(one => (one in words ? words[one as keyof typeof words] : one.toLowerCase()))
    .join(', ')

const endpoints: Endpoint[] = Object.values(apiTables).flatMap(table => Object.values<Endpoint>(table))

const lines = endpoints
  .map(endpoint => ({ line: `${endpoint.method.padEnd(6)} ${endpoint.path}`, who: who(endpoint), path: endpoint.path }))
  .toSorted((a, b) => (a.path === b.path ? (a.line < b.line ? -1 : 1) : a.path < b.path ? -1 : 1))

/**
 * The walk in access.test.ts checks the server against the contracts; this test checks the contracts against what was reviewed.
 * After an intended change: `npm run test:http src/app/server/accessList.test.ts -- -u`.
 */
test('docs/access.md says who may call what', async () => {
  const list = lines.map(({ line, who: callers }) => `${line.padEnd(60)} ${callers}`).join('\n')
  const text = `# Who may call what

All paths begin with \`/api/v1\`. Made from the contracts by \`src/app/server/accessList.test.ts\`, so that a change of
access shows in a review. An object of somebody else's is 404.

\`\`\`
${list}
\`\`\`
`
  await expect(text).toMatchFileSnapshot('../../../docs/access.md')
})
