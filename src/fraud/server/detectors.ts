/**
 * All detectors. Each walks through its facts in steps, looks up those that could make findings, and grades them with one pure
 * rule. A new detector takes a few lines here.
 */
import { looseHours } from '../../attachments/terms.ts'
import type { Tx } from '../../kit/server/db.ts'
import { sameFile, sameLook, sameProof } from '../copies.ts'
import { evenCheckIns } from '../evenCheckIns.ts'
import { earlyWithdrawal, type Finding, selfTest, sharedDevice, sharedPlayAddress } from '../rules.ts'
import { listedDomainOf, throwAwayMail } from '../throwAwayMail.ts'
import * as checkIns from './checkIns.queries.ts'
import * as copies from './copies.queries.ts'
import * as queries from './detectors.queries.ts'
import { markedAlike, nearTexts } from './nearProofs.ts'
import type { Step } from './steps.queries.ts'
import { throwAwayDomains, version } from './throwAwayDomains.ts'

export type Detector = {
  /** Where the step ends that begins at `from` and covers about `many` facts; 'infinity' for the last one. */
  endOf: (tx: Tx, from: string, many: number) => Promise<string>
  /** What in this step could make a finding: devices, texts, files, addresses, tests or accounts. */
  suspects: (tx: Tx, step: Step) => Promise<string[]>
  /** The findings about these suspects. */
  judge: (tx: Tx, suspects: readonly string[], since: string) => Promise<Finding[]>
  /** How much later than its own time a fact may appear; 0 by default. */
  lateHours?: number
}

const judging =
  <Row>(
    facts: (tx: Tx, suspects: readonly string[], since: string) => Promise<Row[]>,
    about: (row: Row) => string,
    rule: (rows: Row[]) => Finding | undefined,
  ): Detector['judge'] =>
  async (tx, suspects, since) =>
    Map.groupBy(await facts(tx, suspects, since), about)
      .values()
      .map(rule)
      .filter(finding => finding !== undefined)
      .toArray()

/** By the name under which a scan remembers how far it has looked. A new name starts from the beginning. */
export const detectors: Record<string, Detector> = {
  'shared-device': {
    endOf: queries.endOfUses,
    suspects: queries.sharedDevices,
    judge: judging(queries.accountsOnDevices, row => row.deviceHash, sharedDevice),
  },
  'self-test': {
    endOf: queries.endOfUsesAndJoins,
    suspects: queries.devicesOfTests,
    judge: judging(queries.selfTests, row => row.participationId, selfTest),
  },
  'same-proof': {
    endOf: copies.endOfProofs,
    suspects: copies.repeatedProofs,
    judge: judging(copies.alikeProofs, row => row.proofKey, sameProof),
  },
  'near-proof': {
    endOf: copies.endOfProofs,
    suspects: markedAlike,
    judge: nearTexts,
  },
  'same-file': {
    endOf: copies.endOfFiles,
    suspects: copies.sameFiles.suspects,
    judge: judging(copies.sameFiles.facts, row => row.key, sameFile),
    // A file carries the time of its upload, but counts only once it is attached.
    lateHours: looseHours,
  },
  'same-look': {
    endOf: copies.endOfFiles,
    suspects: copies.sameLooks.suspects,
    judge: judging(copies.sameLooks.facts, row => row.key, sameLook),
    lateHours: looseHours,
  },
  'joined-play-address': {
    endOf: queries.endOfJoins,
    suspects: queries.sharedAddresses,
    judge: judging(queries.accountsOfPlayAddresses, row => row.address, sharedPlayAddress),
  },
  'early-withdrawal': {
    endOf: queries.endOfWithdrawals,
    suspects: queries.newAccountsPaidOut,
    judge: judging(queries.earlyWithdrawals, row => row.testerId, earlyWithdrawal),
  },
  // With a new version, existing accounts are compared with the new list as well.
  [`throw-away-mail ${version}`]: {
    endOf: queries.endOfMail,
    suspects: async (tx, step) =>
      (await queries.freshMail(tx, step))
        .filter(({ domain }) => listedDomainOf(domain, throwAwayDomains()) !== undefined)
        .map(({ userId }) => userId),
    judge: judging(
      queries.mailOf,
      row => row.userId,
      ([account]) => throwAwayMail(account!, throwAwayDomains()),
    ),
  },
  'even-check-ins': {
    endOf: checkIns.endOfOften,
    suspects: checkIns.checkedInOften,
    judge: judging(checkIns.checkInsOf, row => row.participationId, evenCheckIns),
  },
}
