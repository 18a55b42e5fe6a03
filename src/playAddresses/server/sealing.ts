import { keyedHash, seal, unseal } from '../../kit/server/encryption.ts'
import { accountBehind } from '../rules.ts'
import type { SealedRow } from './queries.ts'

const placeOf = (participationId: string) => `play:${participationId}`

/** The hash is equal for all addresses of one Google account. */
export const sealedFor = (participationId: string, address: string): { sealed: Buffer; hash: Buffer } => ({
  sealed: seal(address, placeOf(participationId)),
  hash: keyedHash(accountBehind(address), 'play-address'),
})

export const openedOf = ({ participationId, sealed }: SealedRow): string => unseal(sealed, placeOf(participationId))
