import { expect, test } from 'vitest'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')

test('anyone can ask for the fee of a campaign created now, even after a change of the settings', async () => {
  expect(await t.call('GET', '/pricing')).toMatchObject({ status: 200, body: { feeBasisPoints: 1500 } })
  expect((await admin.call('PATCH', '/admin/settings', { feeBasisPoints: 1250 })).status).toBe(200)
  expect((await t.call('GET', '/pricing')).body).toEqual({ feeBasisPoints: 1250 })
})
