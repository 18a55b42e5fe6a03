import type { Cents } from '../../kit/money.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { escrowOf } from '../../campaigns/seats.ts'

/** The testers' pay still in escrow. */
export const escrowLeft = (campaign: Campaign, _roster?: unknown): Cents => escrowOf(campaign)
