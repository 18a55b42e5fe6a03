import { clock } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { queuesNow } from '../../kit/server/jobs.ts'
import type { Operations } from '../contract.ts'
import { checks } from './checkFiles.ts'
import { checkingSince, checksRunNextAt } from './checks.ts'
import * as queries from './queries.ts'

export { checkData } from './checks.ts'

export const operations = async (): Promise<Operations> => {
  const now = clock.now()
  const [all, results, checking, money, queues] = await Promise.all([
    checks(),
    queries.checkResults(autocommit),
    checkingSince(now),
    queries.moneyOnItsWay(autocommit),
    queuesNow(autocommit),
  ])
  const byName = new Map(results.map(({ name, ...last }) => [name, last]))
  return {
    checks: all.map(({ name, says }) => ({ name, says, last: shown(byName.get(name)) })),
    checkingSince: checking,
    checksRunNextAt: checksRunNextAt(now),
    money,
    queues,
  }
}

const shown = (last: Omit<queries.CheckResult, 'name'> | undefined): Operations['checks'][number]['last'] =>
  last ? { ...last, examples: last.examples.map(row => JSON.stringify(row)) } : null
