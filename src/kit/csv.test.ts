import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('rows become lines that end with CR LF', () => {
  expect(
    toCsv([
      ['email', 'seats'],
      ['ann@example.test', 3],
    ]),
  ).toBe('email,seats\r\nann@example.test,3\r\n')
  expect(toCsv([])).toBe('')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
  '%j is never read as a formula',
  text => {
    expect(toCsv([[text]])).toMatch(/^"?'/)
  },
)

test('a formula that needs quotes has its apostrophe inside them', () => {
  expect(toCsv([['=HYPERLINK("http://x.test","y")']])).toBe(`"'=HYPERLINK(""http://x.test"",""y"")"\r\n`)
})

test('quotes are doubled, and commas, line breaks and outer spaces stay inside their cell', () => {
  expect(toCsv([['a "b"', 'c,d', 'e\nf', ' g ']])).toBe('"a ""b""","c,d","e\nf"," g "\r\n')
})

test.each([
  ['a;=1+1', `"a;'=1+1"`],
  ['a|@SUM(A1)', `"a|'@SUM(A1)"`],
  ['a\t-2+3', `"a\t'-2+3"`],
  ['a\n+1', `"a\n'+1"`],
  ['a; ="b"', `"a; '=""b"""`],
  ['a;＝1', `"a;'＝1"`],
  ['a;"=1"', `"a;""'=1"""`],
  ['a; b|c\td', '"a; b|c\td"'],
])('%j starts no formula even if another character than the comma separates cells', (text, cell) => {
  expect(toCsv([['x', text]])).toBe(`x,${cell}\r\n`)
})

test('a text of nothing but line breaks takes time proportional to its length', () => {
  const empty = `a${'\n'.repeat(500_000)}b`
  expect(toCsv([[empty, 'c\n\n=1']])).toBe(`"${empty}","c\n\n'=1"\r\n`)
})

test('a number stays a number, even below zero, and null stays empty', () => {
  expect(toCsv([[-5, null, 'x']])).toBe('-5,,x\r\n')
})

test('a negative amount of dollars stays an amount, with its cents', () => {
  expect(toCsv([['-20.50', '-20.50+1', '-1.5', '20.50']])).toBe("-20.50,'-20.50+1,'-1.5,20.50\r\n")
})

test('signs inside a text are left alone', () => {
  expect(toCsv([['ann+test@example.test', "it's"]])).toBe("ann+test@example.test,it's\r\n")
})
