import { keyedHash, seal, unseal } from '../../kit/server/encryption.ts'
import { accountBehind } from '../rules.ts'
import type { SealedRow } from './queries.ts'

const placeOf = (participationId: string) => `play:${participationId}`

/** The hash is equal for all addresses of one Google account. */
export const sealedFor = (participationId: string, address: string): { sealed: Buffer; hash: Buffer } => ({
  sealed: seal(address, placeOf(participationId)),
  hash: keyedHash(accountBehind(address), 'play-address'),
})

/** Tells two addresses apart without being readable, in base64. */
export const fingerprintOf = (address: string): string => keyedHash(address, 'play-request').toString('base64')

export const openedOf = ({ participationId, sealed }: SealedRow): string => unseal(sealed, placeOf(participationId))
