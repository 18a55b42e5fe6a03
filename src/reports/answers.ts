/**
 * Drafts of answers for Google's form. Each sentence rests on recorded facts: its numbers name the part of the report that
 * they come from, and a sentence without such a fact is not offered. What nothing recorded answers stays empty.
 */
import { hoursBetween } from '../kit/clock.ts'
import { formatCents } from '../kit/money.ts'
import { counted } from '../kit/words.ts'
import type { Answer, DraftPart, Report } from './contract.ts'
import { type FactName, type QuestionKey, questionKeys, questionWords } from './terms.ts'

type Facts = Omit<Report, 'answers'> & { medianMinutes: number | null }

type Fact = { text: string; fact: FactName }
const from = (fact: FactName, value: number | string): Fact => ({
  text: typeof value === 'number' ? value.toLocaleString('en-US') : value,
  fact,
})

/** A sentence, or none where its facts are missing. */
type Sentence = DraftPart[] | null

const say = (texts: TemplateStringsArray, ...facts: Fact[]): DraftPart[] =>
  texts.flatMap((text, index) => [
    ...(text === '' ? [] : [{ text, fact: null }]),
    ...(facts[index] === undefined ? [] : [facts[index]]),
  ])

const testersWords = (fact: FactName, count: number) => from(fact, counted(count, 'tester'))

const recruiting = ({ testers, campaign }: Facts): Sentence[] => {
  if (testers.length === 0) return []
  const pay = from('terms', formatCents(campaign.payPerTesterCents))
  const wasPaid = testers.some(({ status }) => status === 'VERIFIED')
  return [
    say`We recruited ${testersWords('runs', testers.length)} on Fieldtest, a marketplace where developers find people to test their apps.`,
    wasPaid
      ? say`The testers were paid: ${pay} each, once their test was verified.`
      : say`The testers are paid: ${pay} each, once their test is verified.`,
  ]
}

const ease = ({ testers, campaign, clock, dropOuts }: Facts): Sentence[] => {
  const twelfth = testers.map(({ joinedAt }) => joinedAt).toSorted()[clock.requiredTesters - 1]
  const replaced = dropOuts.filter(({ replacedBy }) => replacedBy !== null).length
  return [
    twelfth === undefined || campaign.startDate === null
      ? null
      : say`The first ${testersWords('runs', clock.requiredTesters)} joined within ${from('runs', counted(Math.max(1, Math.ceil(hoursBetween(campaign.startDate, twelfth) / 24)), 'day'))} of the start.`,
    dropOuts.length === 0
      ? null
      : say`${from('dropOuts', counted(dropOuts.length, 'tester'))} did not finish; ${from('dropOuts', replaced)} of these places ${replaced === 1 ? from('dropOuts', 'was') : from('dropOuts', 'were')} filled again.`,
  ]
}

const engagement = ({ testers, engagement: days, features, devices, osVersions, medianMinutes }: Facts): Sentence[] => {
  const active = testers.filter(({ daysCheckedIn }) => daysCheckedIn > 0).length
  const checkIns = days.reduce((sum, { checkIns: count }) => sum + count, 0)
  const tried = features.filter(feature => feature.testers.length > 0).length
  return [
    checkIns === 0
      ? null
      : say`${testersWords('engagement', active)} checked in on ${from('engagement', counted(days.length, 'day'))}, ${from('engagement', counted(checkIns, 'time'))} in all.`,
    medianMinutes === null
      ? null
      : say`Half of the days on which they said how long were ${from('engagement', counted(medianMinutes, 'minute'))} or longer.`,
    features.length === 0
      ? null
      : say`They tried ${from('features', tried)} of the ${from('features', counted(features.length, 'feature'))} that we asked about.`,
    devices.length === 0 ? null : sayDevices(devices.length, osVersions.length),
  ]
}

const sayDevices = (models: number, versions: number): DraftPart[] =>
  versions === 0
    ? say`They used ${from('devices', counted(models, 'device model'))} of their own.`
    : say`They used ${from('devices', counted(models, 'device model'))} with ${from('devices', counted(versions, 'system version'))}.`

const readiness = ({ testers, clock, writtenAt }: Facts): Sentence[] => {
  const whole = testers.filter(({ counts, runs }) => counts && (runs.at(-1)?.days ?? 0) >= clock.requiredDays).length
  const verified = testers.filter(({ status }) => status === 'VERIFIED').length
  const reached = clock.earliestAt !== null && clock.earliestAt <= writtenAt && whole >= clock.requiredTesters
  return [
    reached
      ? say`${testersWords('runs', whole)} were opted in for at least ${from('runs', counted(clock.requiredDays, 'day'))} without a break.`
      : null,
    verified === 0 ? null : say`We reviewed and verified the work of ${testersWords('runs', verified)}.`,
  ]
}

/** Feedback and changes, audience, value, installs and an earlier rejection are not recorded. */
const sentences: Partial<Record<QuestionKey, (facts: Facts) => Sentence[]>> = {
  recruiting,
  ease,
  engagement,
  readiness,
}

const lengthOf = (parts: readonly DraftPart[]) => parts.reduce((sum, { text }) => sum + text.length, 0)

/** As many whole sentences as fit. */
const fitting = (all: readonly Sentence[], most: number): DraftPart[] => {
  let draft: DraftPart[] = []
  for (const sentence of all) {
    if (!sentence?.some(({ fact }) => fact !== null)) continue
    const longer = draft.length === 0 ? sentence : [...draft, { text: ' ', fact: null }, ...sentence]
    if (lengthOf(longer) <= most) draft = longer
  }
  return draft
}

export const answersOf = (facts: Facts, mostCharacters: number): Answer[] =>
  questionKeys.map(key => {
    const parts = fitting(sentences[key]?.(facts) ?? [], mostCharacters)
    const draft = parts.map(({ text }) => text).join('')
    return {
      key,
      question: questionWords[key],
      draft: draft === '' ? null : draft,
      parts,
      characters: draft.length,
      mostCharacters,
    }
  })
