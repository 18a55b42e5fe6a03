import { expect, test } from 'vitest'
import { countries } from '../kit/countries.ts'
import { WaitlistWish } from './contract.ts'

test('every country that the form offers by its name is understood, and so is its code', () => {
  for (const { code, name } of countries()) {
    for (const country of [name, code]) {
      expect(WaitlistWish.parse({ email: 'ann@example.test', country }).country).toBe(code)
    }
  }
})
