import { describe, expect, test } from 'vitest'
import { countries, countryCodeOf, countryCodes, countryName } from './countries.ts'

test('there are about 195 (spec §5): the UN’s 193 members and 2 observers, Taiwan and Kosovo', () => {
  expect(countryCodes).toHaveLength(197)
  for (const code of ['DE', 'US', 'GB', 'VA', 'PS', 'TW', 'XK', 'SS', 'TL']) expect(countryCodes).toContain(code)
  for (const code of ['EU', 'UK', 'AQ', 'GL', 'PR', 'SU']) expect(countryCodes).not.toContain(code)
})

test('codes are two capital letters, each once', () => {
  expect(new Set(countryCodes).size).toBe(countryCodes.length)
  for (const code of countryCodes) expect(code).toMatch(/^[A-Z]{2}$/)
})

test('every country has its own English name, and the list is sorted by it', () => {
  const names = countries().map(({ name }) => name)
  expect(new Set(names).size).toBe(countryCodes.length)
  for (const { code, name } of countries()) expect([name, name.length > 2]).not.toEqual([code, false])
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')))
  expect(names.slice(0, 2)).toEqual(['Afghanistan', 'Albania'])
})

describe('what people type is understood', () => {
  test('every listed name and every code leads back to its country', () => {
    for (const { code, name } of countries()) {
      for (const text of [name, name.toUpperCase(), name.toLowerCase(), ` ${name} `, code, code.toLowerCase()]) {
        expect([text, countryCodeOf(text)]).toEqual([text, code])
      }
    }
  })

  test.each([
    ['USA', 'US'],
    ['United States of America', 'US'],
    ['u.s.a.', 'US'],
    ['UK', 'GB'],
    ['Great Britain', 'GB'],
    ['Czech Republic', 'CZ'],
    ['Turkey', 'TR'],
    ['Türkiye', 'TR'],
    ['Ivory Coast', 'CI'],
    ['Cote d’Ivoire', 'CI'],
    ['south korea', 'KR'],
    ['Bosnia and Herzegovina', 'BA'],
    ['Sao Tome & Principe', 'ST'],
    ['Holland', 'NL'],
    ['Palestinian Territories', 'PS'],
    ['State of Palestine', 'PS'],
    ['Myanmar', 'MM'],
    ['Burma', 'MM'],
    ['Saint Kitts and Nevis', 'KN'],
    ['Saint Lucia', 'LC'],
    ['St Vincent & the Grenadines', 'VC'],
    ['The Netherlands', 'NL'],
    ['the Gambia', 'GM'],
    ['Bahamas, The', 'BS'],
    ['Cabo Verde', 'CV'],
    ['Cape Verde', 'CV'],
    ['Congo', 'CG'],
    ['Republic of the Congo', 'CG'],
    ['DR Congo', 'CD'],
    ['Congo, Democratic Republic of the', 'CD'],
    ['Republic of Korea', 'KR'],
    ['Korea, Democratic People’s Republic of', 'KP'],
    ['Federated States of Micronesia', 'FM'],
    ['Tanzania, United Republic of', 'TZ'],
    ['East Timor', 'TL'],
    ['Swaziland', 'SZ'],
    ['Macedonia', 'MK'],
    ['Holy See', 'VA'],
    ['Bosnia', 'BA'],
    ['Thailand', 'TH'],
    ['Iran (Islamic Republic of)', 'IR'],
    ['Bolivia (Plurinational State of)', 'BO'],
    ['Micronesia (Federated States of)', 'FM'],
    ['Papua, New Guinea', 'PG'],
  ])('%s is %s', (text, code) => {
    expect(countryCodeOf(text)).toBe(code)
  })

  test.each(['', ' ', 'Atlantis', 'XX', 'EU', 'Germ', '1', '日本', 'Saint', 'the'])('%j matches no country', text => {
    expect(countryCodeOf(text)).toBeNull()
  })
})

test('Palestine has one name, whatever the platform calls it', () => {
  expect(countryName('PS')).toBe('Palestine')
  expect(countries().filter(({ name }) => name.startsWith('Palestin'))).toEqual([{ code: 'PS', name: 'Palestine' }])
})

test('an unknown code is shown as it is', () => {
  expect(countryName('DE')).toBe('Germany')
  expect(countryName('ZZ')).not.toBe('')
})
