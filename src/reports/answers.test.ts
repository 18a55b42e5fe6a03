import { describe, expect, test } from 'vitest'
import { answersOf } from './answers.ts'
import { bug, change, type Facts, nothing, on, whole } from './report.cases.ts'
import { questionKeys } from './terms.ts'
import { deviceText, noDraftText, notForTheForm } from './words.ts'

const draftsOf = (facts: Facts, most = 300) =>
  Object.fromEntries(answersOf(facts, most).map(({ key, draft }) => [key, draft]))

describe('the drafts', () => {
  test('say what was recorded, in at most 300 characters, and nothing where nothing is recorded', () => {
    expect(draftsOf(whole)).toEqual({
      recruiting:
        'We recruited 13 testers on Fieldtest, a marketplace where developers find people to test their apps. The testers were paid: $10.00 each, once their test was verified.',
      ease: 'The first 12 testers joined within 1 day of the start. 2 testers did not finish; 1 of them was replaced.',
      engagement:
        '13 testers checked in 25 times in total, over 2 days. They tried 1 of the 2 features that we asked about. Half of them checked in on 14 days or more. They used their own devices, 1 model. On half of the days with a recorded duration, they used the app for 10 minutes or longer.',
      feedback: null,
      audience: 'Our testers used 1 device model with Android 14.',
      value: null,
      installs: null,
      changes: null,
      readiness:
        '13 testers were opted in for at least 14 days without a break, 12 of them since Nov 2, 2026. 13 of them checked in on 14 days or more. The work of 2 testers was verified.',
      rejection: null,
    })
    expect(answersOf(whole, 300).every(({ draft, characters }) => characters === (draft?.length ?? 0))).toBe(true)
  })

  test.each([
    [['LEFT', 'REJECTED'], [null, 'Tester 9'], ' 1 tester did not finish and was not replaced.'],
    [['DROPPED'], ['Tester 9'], ' 1 tester did not finish and was replaced.'],
    [['LEFT', 'LEFT'], [null, null], ' 2 testers did not finish; 0 of them were replaced.'],
    [['REJECTED'], ['Tester 9'], ''],
  ] as const)('of %j, replaced by %j, rejected testers count as finished', (hows, by, sentence) => {
    const dropOuts = hows.map((how, index) => ({
      ...whole.dropOuts[0]!,
      how,
      replacedBy: by[index] ? { alias: by[index], joinedAt: on(10) } : null,
    }))
    expect(draftsOf({ ...whole, dropOuts }).ease).toBe(
      `The first 12 testers joined within 1 day of the start.${sentence}`,
    )
  })

  test('mention nobody who checked in every day if nobody did', () => {
    const testers = whole.testers.map(one => ({ ...one, daysCheckedIn: 13 }))
    const { readiness } = draftsOf({ ...whole, testers })
    expect(readiness).toContain('13 testers were opted in')
    expect(readiness).not.toContain('checked in')
  })

  test('cover ten questions, and are empty for a campaign without records', () => {
    expect(answersOf(nothing, 300).map(({ key }) => key)).toEqual([...questionKeys])
    expect(questionKeys).toHaveLength(10)
    expect(Object.values(draftsOf(nothing)).every(draft => draft === null)).toBe(true)
  })

  test('link every number to the part of the report that it comes from, which is never empty', () => {
    const filled: Record<string, boolean> = {
      terms: true,
      runs: whole.testers.length > 0,
      dropOuts: whole.dropOuts.length > 0,
      engagement: whole.engagement.length > 0,
      features: whole.features.length > 0,
      devices: whole.devices.length > 0,
    }
    for (const { parts } of answersOf(whole, 4000)) {
      for (const { text, fact } of parts) {
        if (/\d/.test(text)) expect({ text, fact }).not.toEqual({ text, fact: null })
        if (fact !== null) expect(filled[fact], `${text} from ${fact}`).toBe(true)
      }
    }
  })

  test('leave out whole sentences that do not fit, never parts of one', () => {
    expect(draftsOf(whole, 120).recruiting).toBe(
      'We recruited 13 testers on Fieldtest, a marketplace where developers find people to test their apps.',
    )
    for (const most of [100, 150, 300])
      for (const draft of Object.values(draftsOf(whole, most))) {
        expect((draft ?? '').length).toBeLessThanOrEqual(most)
        if (draft !== null) expect(draft).toMatch(/\.$/)
      }
  })

  test('say that all features were tried only if they were, and by how many testers at least', () => {
    const engagementWith = (features: Facts['features']) => draftsOf({ ...whole, features }, 4000).engagement
    const search = { feature: 'Search', testers: ['Tester 1', 'Tester 2'] }
    expect(engagementWith([search, { feature: 'Share', testers: ['Tester 1'] }])).toContain(
      'All 2 features that we asked about were tried, each by at least 1 tester.',
    )
    expect(engagementWith([search])).toContain('2 testers tried the one feature that we asked about.')
    expect(engagementWith([])).not.toContain('feature')
    expect(draftsOf({ ...whole, features: [search] }).readiness).toContain('They tried every feature')
    expect(draftsOf(whole).readiness).not.toContain('every feature')
  })

  test('describe the audience by whom the campaign was open to and what they tested on, not by whom the app is for', () => {
    const filters = { countries: ['Germany', 'PL'], minAndroidVersion: '12', minIOSVersion: null }
    const osVersions = ['9', '14', '12'].map(version => ({ version, testers: 1 }))
    const asked = { ...whole, campaign: { ...whole.campaign, filters }, osVersions }
    expect(draftsOf(asked).audience).toBe(
      'We looked for testers in Germany and Poland. Our testers used 1 device model with Android 9 to 14. We asked for Android 12 or newer.',
    )
    expect(draftsOf({ ...asked, devices: [], osVersions: [] }).audience).toBeNull()
  })

  test('count no device of a deleted account, and say that there may have been more models', () => {
    const [first, ...others] = whole.testers
    const unknown = { ...first!, device: { model: null, manufacturer: null, osVersion: '14' } }
    const some = draftsOf({ ...whole, testers: [unknown, ...others] })
    expect(some.engagement).toContain('They used their own devices, at least 1 model.')
    expect(some.audience).toBe('Our testers used at least 1 device model with Android 14.')
    const none = draftsOf({ ...whole, testers: [unknown], devices: [] })
    expect(none.engagement).not.toContain('devices')
    expect(none.audience).toBe('Our testers used Android 14.')
    expect(deviceText(unknown, whole.campaign)).toBe('device not kept, Android 14')
  })

  test('about ease name those who joined if fewer than twelve did', () => {
    const few = { ...whole, testers: whole.testers.slice(0, 3), dropOuts: [] }
    expect(draftsOf(few).ease).toBe('The first 3 testers joined within 1 day of the start.')
  })

  test('leave out feedback that is only notes, and say where the notes are', () => {
    const notes = [{ alias: 'Tester 1', day: '2026-11-02', note: 'Search forgets.' }]
    expect(draftsOf({ ...whole, notes }).feedback).toBeNull()
    expect(noDraftText('feedback', { notes })).toContain('Testers left 1 note with their check-ins')
    expect(noDraftText('feedback', { notes: [] })).toContain('Nothing recorded')
    expect(noDraftText('changes', { notes })).toContain('Nothing recorded')
  })

  test('of a feedback form say the score, the means and the most frequent choices, and that these are facts of the form', () => {
    const question = { answered: 2, mean: null, counts: [], quotations: [] }
    const feedback = {
      answered: 2,
      sus: { score: 77.5, testers: 2 },
      questions: [
        { ...question, text: 'Easy?', mean: 4.5 },
        {
          ...question,
          text: 'Would you keep it?',
          counts: [
            { value: 'No', testers: 0 },
            { value: 'Yes', testers: 2 },
          ],
        },
        { ...question, text: 'What is missing?', quotations: [{ alias: 'Tester 2', text: 'Undo' }] },
      ],
    }
    const { draft, parts } = answersOf({ ...whole, feedback }, 700).find(({ key }) => key === 'feedback')!
    expect(draft).toBe(
      '2 testers answered the 13 questions of our feedback form on Fieldtest. Their score on the System Usability Scale is 77.5 out of 100. ' +
        'On average they gave “Easy?” 4.5 out of 5. 2 of 2 chose “Yes” for “Would you keep it?”.',
    )
    const facts = parts.filter(({ fact }) => fact !== null)
    expect(facts).toHaveLength(8)
    expect(new Set(facts.map(({ fact }) => fact))).toEqual(new Set(['feedback']))
  })

  test('do not mention a feedback form without questions', () => {
    expect(draftsOf({ ...whole, feedback: { answered: 2, sus: null, questions: [] } }).feedback).toBeNull()
  })

  test('say that testers are paid, even before the first one was', () => {
    const unpaid = { ...whole, testers: whole.testers.map(one => ({ ...one, status: 'ACTIVE' as const })) }
    expect(draftsOf(unpaid).recruiting).toContain('The testers are paid: $10.00 each, once their test is verified.')
  })

  test('do not say that the days are complete before they are', () => {
    const early = { ...whole, testers: whole.testers.slice(0, 11) }
    expect(draftsOf(early).readiness).not.toContain('without a break')
    expect(draftsOf({ ...whole, writtenAt: on(15) }).readiness).not.toContain('without a break')
    const { clock } = nothing
    expect(draftsOf({ ...whole, clock }).readiness).not.toContain('without a break')
    const again = { startedAt: on(16), endedAt: null, ended: null, contested: false, days: 1 }
    const interrupted = whole.testers.map(one => ({ ...one, runs: [...one.runs, again] }))
    expect(draftsOf({ ...whole, testers: interrupted }).readiness).not.toContain('without a break')
  })
})

describe('the drafts of what was found and changed', () => {
  const fixed = { status: 'FIXED', fixedIn: '1.2', retest: 'WORKS' } as const
  const again = { status: 'DUPLICATE', duplicateOf: 1, fixedIn: '1.2', retest: 'WORKS', severity: 'LOW' } as const
  const bugs = [bug(1, fixed), bug(2, again), bug(3, { severity: 'LOW' })]
  const changes = [
    change('1.1', 'It starts faster.'),
    change('1.2', 'Long words no longer close the search', { bugs: [1], works: 2 }),
    change('1.2', 'New icon'),
  ]
  const answer = (key: string) => answersOf({ ...whole, bugs, changes }, 700).find(each => each.key === key)!

  test('the draft of changes contains the words of each version, and what was fixed and retested', () => {
    expect(answer('changes').draft).toBe(
      'In version 1.1 we changed: It starts faster. In version 1.2 we changed: Long words no longer close the search; New icon. ' +
        'We fixed 1 of the 2 bugs that testers reported. 2 testers retested and confirmed the fixes.',
    )
    const facts = answer('changes').parts.filter(({ fact }) => fact !== null)
    expect(facts.map(({ text, fact }) => [text, fact])).toEqual([
      ['1.1', 'changes'],
      ['It starts faster', 'changes'],
      ['1.2', 'changes'],
      ['Long words no longer close the search; New icon', 'changes'],
      ['1', 'bugs'],
      ['2 bugs', 'bugs'],
      ['2 testers', 'bugs'],
    ])
  })

  test('the draft of feedback counts bugs, the severe ones, and what was reported twice', () => {
    expect(answer('feedback').draft).toBe(
      '3 testers reported 3 bugs on Fieldtest, each with steps to reproduce it. They rated 1 of them critical or high. 1 of them had been reported before.',
    )
  })

  test('critical bugs are severe, as are those of high severity, and no others', () => {
    const each = (['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const).map((severity, index) => bug(index + 1, { severity }))
    expect(draftsOf({ ...whole, bugs: each }).feedback).toContain('They rated 2 of them critical or high.')
  })
})

test.each([
  ['OPEN_LINK', /open link, so these drafts are not for Google’s form/],
  ['EMAIL_LIST', null],
] as const)(
  'only a campaign with an open link says that Google’s form does not ask about it: %s',
  (accessMode, sentence) => {
    const note = notForTheForm({ campaign: { ...whole.campaign, accessMode } })
    if (sentence === null) expect(note).toBeNull()
    else expect(note).toMatch(sentence)
  },
)

test('the drafts use no shares of testers if there is only one tester', () => {
  const { engagement } = draftsOf({ ...whole, testers: whole.testers.slice(0, 1) })
  expect(engagement).toMatch(/^1 tester checked in/)
  expect(engagement).not.toMatch(/Half of them|They used/)
})
