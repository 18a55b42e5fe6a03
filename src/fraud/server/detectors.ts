/**
 * All detectors. Each is one statement that asks for facts, and one pure rule that grades those of one finding;
 * a new one is a line here.
 */
import type { Tx } from '../../kit/server/db.ts'
import { earlyWithdrawal, type Finding, sameProof, selfTest, sharedDevice, sharedPlayAddress } from '../rules.ts'
import * as queries from './detectors.queries.ts'

/** Gives all findings that became possible since then. */
type Detect = (tx: Tx, since: string) => Promise<Finding[]>

const detector =
  <Row>(
    find: (tx: Tx, since: string) => Promise<Row[]>,
    about: (row: Row) => string,
    judge: (rows: Row[]) => Finding,
  ): Detect =>
  async (tx, since) =>
    Map.groupBy(await find(tx, since), about)
      .values()
      .map(judge)
      .toArray()

/** By the name under which a scan remembers up to when it has looked: a new name looks at everything once. */
export const detectors: Record<string, Detect> = {
  'shared-device': detector(queries.accountsOnDevices, row => row.device, sharedDevice),
  'self-test': detector(queries.selfTests, row => row.participationId, selfTest),
  'same-proof': detector(queries.alikeProofs, row => row.proofKey, sameProof),
  'shared-play-address': detector(queries.accountsOfPlayAddresses, row => row.address, sharedPlayAddress),
  'early-withdrawal': detector(queries.earlyWithdrawals, row => row.testerId, earlyWithdrawal),
}
