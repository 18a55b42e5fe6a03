/**
 * All detectors. Each walks through its facts in steps, asks for those that could make findings, and grades them by one pure
 * rule; a new one is a few lines here.
 */
import type { Tx } from '../../kit/server/db.ts'
import { earlyWithdrawal, type Finding, sameProof, selfTest, sharedDevice, sharedPlayAddress } from '../rules.ts'
import * as queries from './detectors.queries.ts'

export type Detector = {
  /** Where the step ends that begins at `from` and takes about `many` facts; 'infinity' for the last one. */
  endOf: (tx: Tx, from: string, many: number) => Promise<string>
  /** What in this step could make a finding: devices, texts, addresses or accounts. */
  suspects: (tx: Tx, step: queries.Step) => Promise<string[]>
  /** The findings on these. */
  judge: (tx: Tx, suspects: readonly string[], since: string) => Promise<Finding[]>
}

const judging =
  <Row>(
    facts: (tx: Tx, suspects: readonly string[], since: string) => Promise<Row[]>,
    about: (row: Row) => string,
    rule: (rows: Row[]) => Finding,
  ): Detector['judge'] =>
  async (tx, suspects, since) =>
    Map.groupBy(await facts(tx, suspects, since), about)
      .values()
      .map(rule)
      .toArray()

/** By the name under which a scan remembers up to when it has looked: a new name looks at everything once. */
export const detectors: Record<string, Detector> = {
  'shared-device': {
    endOf: queries.endOfUses,
    suspects: queries.sharedDevices,
    judge: judging(queries.accountsOnDevices, row => row.device, sharedDevice),
  },
  'self-test': {
    endOf: queries.endOfUsesAndJoins,
    suspects: queries.devicesOfTests,
    judge: judging(queries.selfTests, row => row.participationId, selfTest),
  },
  'same-proof': {
    endOf: queries.endOfProofs,
    suspects: queries.repeatedProofs,
    judge: judging(queries.alikeProofs, row => row.proofKey, sameProof),
  },
  'shared-play-address': {
    endOf: queries.endOfAddresses,
    suspects: queries.sharedAddresses,
    judge: judging(queries.accountsOfPlayAddresses, row => row.address, sharedPlayAddress),
  },
  'early-withdrawal': {
    endOf: queries.endOfWithdrawals,
    suspects: queries.newAccountsPaidOut,
    judge: judging(queries.earlyWithdrawals, row => row.testerId, earlyWithdrawal),
  },
}
