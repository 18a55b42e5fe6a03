import type { FraudReport } from '../fraud/contract.ts'
import type { Person, TestApp } from './app.ts'

/** Runs a scan to its end, and returns the newest reports. */
export const fraudScan = async (t: TestApp, admin: Person): Promise<FraudReport[]> => {
  await admin.call('POST', '/admin/fraud-scan/trigger')
  await t.advance(0)
  return (await admin.call<{ data: FraudReport[] }>('GET', '/admin/fraud-reports')).body.data
}
