import { expect, test } from 'vitest'
import { countries } from '../kit/countries.ts'
import { WaitlistSignUp } from './contract.ts'

test('every country that the form offers is accepted by name and by code', () => {
  for (const { code, name } of countries()) {
    for (const country of [name, code]) {
      expect(WaitlistSignUp.parse({ email: 'ann@example.test', country }).country).toBe(code)
    }
  }
})
