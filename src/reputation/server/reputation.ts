/** Use cases of reputation: reading only, from what tests have left behind (decision 040). */
import { assertVisible } from '../../campaigns/server/campaigns.ts'
import type { ReplyOf, SignedIn } from '../../kit/endpoint.ts'
import { autocommit } from '../../kit/server/db.ts'
import type { reputationApi } from '../contract.ts'
import { developerReputation, testerReputation } from '../rules.ts'
import * as queries from './queries.ts'

type Api = typeof reputationApi

export const ofTesters = async (user: SignedIn, campaignId: string): Promise<ReplyOf<Api['testers']>> => {
  await assertVisible(user, campaignId)
  const testers = await queries.testersOf(autocommit, campaignId)
  return testers.map(({ id, verified, tests }) => ({ id, ...testerReputation(verified, tests) }))
}

export const ofDevelopers = async (ids: readonly string[]): Promise<ReplyOf<Api['developers']>> => {
  const developers = await queries.developersOf(autocommit, ids)
  return developers.map(({ id, verified, proofs, appeals }) => ({
    developerId: id,
    ...developerReputation(verified, proofs, appeals),
  }))
}

export const own = async (user: SignedIn): Promise<ReplyOf<Api['own']>> => {
  if (user.role === 'TESTER') {
    const { verified, tests } = await queries.testerFacts(autocommit, user.id)
    return { tester: testerReputation(verified, tests), developer: null }
  }
  const [developer] = await queries.developersOf(autocommit, [user.id])
  const { verified, proofs, appeals } = developer!
  return { tester: null, developer: developerReputation(verified, proofs, appeals) }
}
