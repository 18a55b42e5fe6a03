/** The settings of the system, which admins change (product.md §7). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { Cents, wholeNumber } from '../kit/schemas.ts'

export const Settings = z.object({
  /** The platform's fee in basis points: 1500 is 15 %. */
  feeBasisPoints: z.int(),
  minimumWithdrawalCents: Cents,
  /** Hours of silence until a proof is verified. */
  reviewHours: z.int(),
  /** Hours without a check-in until a tester is at risk, and until the seat is free again. */
  atRiskHours: z.int(),
  dropHours: z.int(),
})
export type Settings = z.output<typeof Settings>

export const riskBeforeDrop = 'A tester has to be at risk before being dropped.'

export const SettingsChange = z
  .object({
    feeBasisPoints: wholeNumber('The fee in basis points', 0, 10_000),
    minimumWithdrawalCents: wholeNumber('The least to withdraw, in cents,', 100, 1_000_000),
    reviewHours: wholeNumber('The review window in hours', 1, 720),
    atRiskHours: wholeNumber('The hours until at risk', 1, 720),
    dropHours: wholeNumber('The hours until dropped', 2, 720),
  })
  .partial()
  .refine(change => Object.keys(change).length > 0, { error: 'Say what should change' })
  .refine(({ atRiskHours = 0, dropHours = Infinity }) => atRiskHours < dropHours, {
    error: riskBeforeDrop,
    path: ['atRiskHours'],
  })
export type SettingsChange = z.output<typeof SettingsChange>

export const settingsApi = endpoints({
  settings: {
    method: 'GET',
    path: '/admin/settings',
    access: 'ADMIN',
    summary: 'The system’s settings.',
    reply: Settings,
  },
  changeSettings: {
    method: 'PATCH',
    path: '/admin/settings',
    access: 'ADMIN',
    summary: 'Change settings; what concerns campaigns applies to new ones only.',
    body: SettingsChange,
    reply: Settings,
  },
})
