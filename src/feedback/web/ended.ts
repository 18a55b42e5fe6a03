import type { Campaign } from '../../campaigns/contract.ts'

/** From then on its form stays as it is. */
export const hasEnded = ({ status }: Campaign): boolean => status === 'COMPLETED' || status === 'CANCELLED'
