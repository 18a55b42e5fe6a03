import type { Cents } from '../../../kit/money.ts'

/**
 * Stripe's minimum payouts across borders, by country, in units of the local currency. Smaller amounts wait in the tester's account
 * at Stripe. From https://docs.stripe.com/connect/cross-border-payouts/special-requirements as far as we could read it; South
 * Korea, Mexico, the Philippines and El Salvador come from pages that quote it. Elsewhere the minimum is usually one unit.
 */
const minimums: Record<string, string> = {
  AL: '3000 ALL',
  AM: '12100 AMD',
  AO: '23000 AOA',
  AR: '4600 ARS',
  AZ: '50 AZN',
  BA: '50 BAM',
  BD: '20 BDT',
  BO: '200 BOB',
  BT: '2500 BTN',
  CL: '23000 CLP',
  CO: '140000 COP',
  KH: '123000 KHR',
  KR: '40000 KRW',
  MX: '10 MXN',
  PH: '20 PHP',
  SV: '30 USD',
}

/** In US cents; null if the currency is not the dollar. */
export const minimumCentsOf = (country: string): Cents | null => {
  const [units, currency] = (minimums[country] ?? '').split(' ')
  return currency === 'USD' ? Number(units) * 100 : null
}

/** Null if no minimum above one unit of the currency is known. */
export const minimumPayoutOf = (country: string): string | null => minimums[country] ?? null
