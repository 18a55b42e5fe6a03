import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { consentText, consentVersion } from './consent.ts'
import { PlayAddress } from './contract.ts'
import { accountBehind, addressWarning } from './rules.ts'

describe('a Play address', () => {
  test('is trimmed, put in lower case, and has to be an email address', () => {
    expect(PlayAddress.parse('  Tess.Ter@Gmail.com ')).toBe('tess.ter@gmail.com')
    for (const wrong of ['', '   ', 'tess', 'tess@', '@gmail.com', 'a@b@c.com', 'tess@gmail.com,bob@gmail.com', null]) {
      expect(PlayAddress.safeParse(wrong).success).toBe(false)
    }
    expect(PlayAddress.safeParse(`${'a'.repeat(250)}@gmail.com`).success).toBe(false)
  })

  test('gets a warning only at googlemail.com', () => {
    expect(addressWarning('tess@googlemail.com')).toContain('treats gmail.com and googlemail.com as different')
    expect(addressWarning('Tess@GoogleMail.com ')).not.toBeNull()
    for (const fine of ['tess@gmail.com', 'googlemail.com@example.com', 'tess@googlemail.com.example', '', 'tess']) {
      expect(addressWarning(fine)).toBeNull()
    }
  })

  test('of one Google account is recognized however it is written, and not mistaken for another account’s', () => {
    for (const same of ['ann.lee@gmail.com', 'A.N.N.L.E.E@gmail.com', 'annlee@googlemail.com', 'annlee+1@gmail.com']) {
      expect(accountBehind(same)).toBe('annlee@gmail.com')
    }
    expect(accountBehind('ann+tests@example.com')).toBe('ann@example.com')
    expect(accountBehind('ann.lee@example.com')).not.toBe(accountBehind('annlee@example.com'))
    expect(accountBehind('ann@gmail.com')).not.toBe(accountBehind('ann@example.com'))
  })
})

describe('the consent', () => {
  const facts = { developer: 'Ada Lovelace', inGroup: false }

  test('names the developer, who sees the address, and when it is erased', () => {
    for (const inGroup of [true, false]) {
      const text = consentText({ ...facts, inGroup }).join(' ')
      expect(text).toContain('Ada Lovelace')
      expect(text).toContain('30 days')
      expect(text.includes('Google Group')).toBe(inGroup)
    }
  })

  test('never changes its text once given: a change needs a new version', () => {
    const digest = (version: number) =>
      createHash('sha256')
        .update(JSON.stringify([false, true].map(inGroup => consentText({ ...facts, inGroup }, version))))
        .digest('hex')
        .slice(0, 16)
    expect({ newest: consentVersion, 1: digest(1) }).toEqual({ newest: 1, 1: '1718d0d810f5aa71' })
    expect(() => consentText(facts, 2)).toThrow()
  })
})
