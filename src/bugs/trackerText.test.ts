/** In a tracker, what testers wrote stays plain text, and nothing in it acts as markup. */
import { type Node, Parser } from 'commonmark'
import { expect, test } from 'vitest'
import { randomOf } from '../testing/seed.ts'
import { bugCsvHead, bugCsvRow, type WholeBug } from './csv.ts'
import { isRepository, markdownOf, newIssueLink, plainText } from './trackerText.ts'
import type { BugStatus } from './terms.ts'

const bug: WholeBug = {
  id: '019e8a00-0000-7000-8000-000000000000',
  number: 7,
  campaign: { id: '019e8a00-0000-7000-8000-000000000001', title: 'Notes' },
  testId: '019e8a00-0000-7000-8000-000000000002',
  alias: 'Tester 3',
  own: false,
  title: 'Search *crashes*',
  severity: 'HIGH',
  status: 'FIXED',
  fixedIn: '1.2',
  device: { platform: 'android', osVersion: '14', model: 'Pixel 8', manufacturer: 'Google' },
  appVersion: null,
  duplicateOf: null,
  retest: null,
  canTestAgain: true,
  comments: 0,
  reportedAt: '2026-11-21T10:00:00.000Z',
  changedAt: '2026-11-22T10:00:00.000Z',
  steps: '1. Open it\n2. Type @ann',
  expected: '',
  actual: '=1+1',
}

test('plain Markdown leaves out empty fields', () => {
  expect(markdownOf(bug, 'markdown', 'titled')).toBe(
    [
      String.raw`## Search \*crashes\*`,
      '',
      '**Steps to reproduce**',
      '',
      '1. Open it',
      '2. Type @<!-- -->ann',
      '',
      '**Actual:** =1+1',
      '',
      '**Device:** Google Pixel 8, Android 14',
      '',
      '**Severity:** High',
      '',
      'Reported by Tester 3 on Fieldtest as bug 7, 2026-11-21. Fixed in 1.2.',
      '',
    ].join('\n'),
  )
})

test('GitHub’s form has a heading for each field, even without an answer', () => {
  const text = markdownOf(bug, 'github', 'untitled')
  expect(text.match(/^### .+$/gm)).toEqual([
    '### Steps to reproduce',
    '### Expected',
    '### Actual',
    '### App version',
    '### Device',
    '### Severity',
  ])
  expect(text).toContain('### Expected\n\n_No response_\n')
})

test.each([
  ['![x](https://evil.test/p.png)', String.raw`!\[x\](https://evil.test/p.png)`],
  ['<img src=x>', '&lt;img src=x&gt;'],
  ['# Heading', String.raw`\# Heading`],
  ['fixes #12', 'fixes #<!-- -->12'],
  ['`code` and _more_', String.raw`\`code\` and \_more\_`],
  ['Title\n===', 'Title\n\\==='],
  ['Steps\n=', 'Steps\n\\='],
  ['Steps\n-', 'Steps\n\\-'],
  ['- - -', String.raw`\- - -`],
  ['- one\n  - two\n      - three', '- one\n  - two\n      - three'],
  ['\n\tcode', '\n   code'],
  ['-     code', '- code'],
  ['1.\n         code', '1. \n   code'],
  ['$5', '$5'],
  ['$x$', '&#36;x&#36;'],
  ['fixes GH-12', 'fixes GH-<!-- -->12'],
])('%j stays as it was written', (written, safe) => expect(plainText(written)).toBe(safe))

const signs = Array.from('\n\n\n   \t--==+##*_`$.)1<>[]()!\\&:~|ax')
const parts = [
  ...signs,
  '10. ',
  '    ',
  '&lt;',
  '@ann',
  '\n- ',
  '\n1. ',
  '--',
  '#12',
  '/issues/12',
  '/merge_requests/12',
]
const hasList = (text: string) => /^\s*([-+]|\d+[.)])(\s|$)/m.test(text)

const nodesOf = (markdown: string) => {
  const nodes = []
  const walker = new Parser().parse(markdown).walker()
  for (let step = walker.next(); step; step = walker.next()) if (step.entering) nodes.push(step.node)
  return nodes
}
const allowed = new Set([
  'document',
  'paragraph',
  'text',
  'softbreak',
  'linebreak',
  'strong',
  'list',
  'item',
  '<!-- -->',
])
const kindOf = ({ type, literal }: Node) => (type === 'html_inline' ? literal! : type)

const shown = (markdown: string) =>
  nodesOf(markdown)
    .map(node => (node.type === 'text' ? node.literal : node.type === 'html_inline' ? '' : ' '))
    .join('')
const spaced = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

test.each([
  'https://github.com/ann/notes/issues/12',
  'https://github.com/ann/notes/issues/12#issuecomment-3',
  'HTTPS://GitHub.com/ann/notes/PULL/12/files',
  'https://github.com/ann/notes/discussions/12',
  'https://github.com/ann/notes/commit/a5c3785ed8d6a35868bc169f07e40e889087fd2e',
  'https://github.com/ann/notes/pull/12/commits/a5c3785ed8d6a35868bc169f07e40e889087fd2e',
  'www.github.com/ann/notes/issues/12',
  'https://git.example.test/ann/notes/-/issues/12',
  'https://gitlab.com/group/ann/notes/-/merge_requests/12',
  'https://gitlab.com/group/ann/notes/-/work_items/12',
  'https://gitlab.com/group/ann/notes/-/commit/a5c3785e',
  'https://gitlab.com/groups/ann/-/epics/12',
  'ann/notes!12',
  'ann&12',
])('no tracker reads a reference to another project in %s, and what is shown is what was written', written => {
  const safe = plainText(`See ${written}.`)
  // The comment ends the address for a tracker, and is not shown.
  expect(safe.split('<!-- -->').filter(part => /[/!;]12|commit\/a5c3785/.test(part))).toEqual([])
  expect(nodesOf(safe).map(kindOf)).toContain('<!-- -->')
  expect(spaced(shown(safe))).toBe(`See ${written}.`)
})

test.each([
  'https://example.test/pulls/open',
  'https://github.com/ann/notes/issues/new',
  'https://github.com/ann/notes/commits/main',
  'https://github.com/ann/notes/releases/12',
])('%s stays one address', written => expect(plainText(written)).toBe(written))

test('Markdown reads nothing but paragraphs and lists in whatever was written, and shows it', () => {
  const random = randomOf(7)
  const any = () => parts[Math.floor(random() * parts.length)]!
  for (let round = 0; round < 5000; round++) {
    const written = Array.from({ length: 1 + Math.floor(random() * 14) }, any).join('')
    const safe = plainText(written)
    const markup = nodesOf(`**Steps**\n\n${safe}\n`)
      .map(kindOf)
      .filter(kind => !allowed.has(kind))
    expect({ written, markup }).toEqual({ written, markup: [] })
    if (!hasList(written)) expect(spaced(shown(safe))).toBe(spaced(written))
  }
})

test('the time for a text of nothing but line breaks, or but markers of lists, is linear in its length', () => {
  const empty = '\n'.repeat(500_000)
  expect(plainText(`a${empty}\t# b`)).toBe(`a${empty}   \\# b`)
  const lists = '- '.repeat(6000)
  expect(plainText(`${lists}b`)).toBe(`${lists}b`)
  const addresses = '/issues/incident/commit/'.repeat(50_000)
  expect(plainText(addresses)).toBe(addresses)
})

test('a link fills in GitHub’s form unless the text is too long for a URL', () => {
  const link = new URL(newIssueLink(bug, 'ann/notes')!)
  expect([link.origin, link.pathname]).toEqual(['https://github.com', '/ann/notes/issues/new'])
  expect(link.searchParams.get('title')).toBe('Search *crashes*')
  expect(link.searchParams.get('body')).toBe(markdownOf(bug, 'github', 'untitled'))
  expect(newIssueLink({ ...bug, steps: 'x'.repeat(9000) }, 'ann/notes')).toBeNull()
})

test('a repository is an owner and a name', () => {
  expect(['ann/notes', 'a.b/c-d_e'].every(isRepository)).toBe(true)
  expect(['ann', 'ann/notes/x', 'https://github.com/ann/notes', 'ann/no tes', ''].some(isRepository)).toBe(false)
})

const askedAgain = { version: '1.2', askedAt: bug.reportedAt, result: null, answeredAt: null, withdrawnAt: null }

test.each([
  ['nothing while nobody was asked', null, ''],
  ['that somebody was asked', askedAgain, 'Asked'],
  ['that it works', { ...askedAgain, result: 'WORKS' as const }, 'Works now'],
  ['nothing once it is open again', { ...askedAgain, result: 'WORKS' as const }, '', 'OPEN' as const],
  ['that it does not', { ...askedAgain, result: 'STILL_BROKEN' as const }, 'Still broken'],
  ['nothing of a question that was taken back', { ...askedAgain, withdrawnAt: bug.changedAt }, ''],
])('a spreadsheet says of the retest %s', (_what, retest, words, status: BugStatus = 'FIXED') => {
  const place = bugCsvHead.trim().split(',').indexOf('Retest')
  expect(place).toBeGreaterThan(0)
  const row = { ...bug, status, retest, steps: 'Open it', actual: 'Nothing' }
  expect(bugCsvRow(row).trim().split(',')[place]).toBe(words)
})

test('a spreadsheet does not read testers’ text as a formula', () => {
  const formula = bugCsvRow({ ...bug, title: '=HYPERLINK("https://evil.test")', steps: '+1', actual: '@x' })
  expect(formula).toContain(`"'=HYPERLINK(""https://evil.test"")"`)
  expect(formula).toContain(`,'+1,,'@x,`)
})
