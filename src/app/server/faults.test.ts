/**
 * The short form of `npm run faults`: processes are killed while clients move money, and nothing is lost, half done or done
 * twice.
 */
import { expect, test } from 'vitest'
import { run } from '../../../scripts/faults/run.ts'

test('three servers and PostgreSQL are killed and connections cut: what was acknowledged exists once, and the books balance', async () => {
  const found = await run({ provider: 'stripe', seconds: 8, kills: 2, postgresKills: 1, cuts: 2, clients: 12, seed: 7 })
  // An assertion would cut them short.
  for (const violation of found.violations) expect.unreachable(violation)
  expect(found.acknowledged).toBeGreaterThan(20)
  expect(found.byKind).toMatchObject({ fund: expect.any(Number) as number, withdraw: expect.any(Number) as number })
  // Every tester's account can receive money; otherwise the run would say nothing about payouts.
  expect(found.refused).not.toHaveProperty(['withdraw 409 WRONG_STATE'])
}, 600_000)
