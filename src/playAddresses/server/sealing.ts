import { keyedHash, seal, unseal } from '../../kit/server/encryption.ts'
import { accountBehind } from '../rules.ts'
import type { SealedRow } from './queries.ts'

const placeOf = (participationId: string) => `play:${participationId}`

/** All addresses of one Google account have the same hash. */
export const sealedFor = (participationId: string, address: string): { sealed: Buffer; hash: Buffer } => ({
  sealed: seal(address, placeOf(participationId)),
  hash: keyedHash(accountBehind(address), 'play-address'),
})

/** Tells addresses apart without revealing them, in base64. */
export const fingerprintOf = (address: string): string => keyedHash(address, 'play-request').toString('base64')

export const openedOf = ({ participationId, sealed }: SealedRow): string => unseal(sealed, placeOf(participationId))
