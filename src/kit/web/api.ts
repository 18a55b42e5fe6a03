/** The web client of every slice; how a call is made stands in request.ts. */
import { type Contracts, endpointTable } from '../../app/web/endpointTable.ts'
import { type Client, clientOf } from './request.ts'

/** One function for each endpoint of a contract: `client('campaigns').fund({ params, body, idempotencyKey })`. */
export const client = <S extends keyof Contracts>(contract: S): Client<Contracts[S]> =>
  clientOf<Contracts[S]>(endpointTable[contract])
