import { expect, test } from 'vitest'
import { factsOf } from '../../audit/words.ts'
import { Settings } from '../contract.ts'
import { settingDefaults, settingLabels, settingNames, settingText } from './settingWords.ts'

test('every setting of the platform has a name on the screen', () => {
  expect(settingNames.toSorted()).toEqual(Object.keys(Settings.shape).toSorted())
})

test('the audit log calls each setting what the screen calls it', () => {
  for (const name of settingNames)
    expect(factsOf({ action: 'settings.change', facts: { [name]: '3 → 4' } })[0]?.label).toMatch(
      new RegExp(`^${settingLabels[name]}( |$)`),
    )
})

test('each default is shown with its unit', () => {
  expect(Object.fromEntries(settingNames.map(name => [name, settingText(name, settingDefaults[name])]))).toEqual({
    feeBasisPoints: '15%',
    minimumWithdrawalCents: '$10.00',
    payoutApprovalCents: 'off',
    reviewHours: '72 hours',
    atRiskHours: '48 hours',
    dropHours: '72 hours',
    draftsPerDeveloper: '100 drafts',
    openTestsPerTester: '8 tests',
    answerCharacters: '300 characters',
    goodwillPerDeveloperCents: '$200.00 a month',
    goodwillInAllCents: '$2,000.00 a month',
    consentAfterOverturned: '3 overturned rejections',
    consentOfLast: '10 rejections',
    checkInMonths: '24 months',
    notificationMonths: '12 months',
    auditLogMonths: '24 months',
    signInMonths: '3 months',
    jobDays: '7 days',
    confirmedEmailRequired: 'Not required to join and pay',
    weakPasswords: 'Warn only',
  })
})

test('a changed value is shown as what it now means', () => {
  expect(settingText('feeBasisPoints', 1250)).toBe('12.5%')
  expect(settingText('payoutApprovalCents', 50_000)).toBe('$500.00')
  expect(settingText('payoutApprovalCents', 0)).toBe('$0.00')
  expect(settingText('confirmedEmailRequired', true)).toBe('Required to join and pay')
  expect(settingText('weakPasswords', 'refuse')).toBe('Refuse for everyone')
  expect(settingText('reviewHours', 1)).toBe('1 hour')
})
