/**
 * Drafts of answers for Google's form. Each sentence rests on recorded facts: its numbers link to the part of the report that they
 * come from, and a sentence without such a fact is left out. A question stays empty if nothing recorded answers it.
 */
import { hoursBetween } from '../kit/clock.ts'
import { formatCents } from '../kit/money.ts'
import { allOf, counted, grouped, oneDecimal, quoted } from '../kit/words.ts'
import { susStatements } from '../feedback/sus.ts'
import { platformNames } from '../campaigns/terms.ts'
import type { Answer, DraftPart, Report } from './contract.ts'
import { medianOf } from './rules.ts'
import { type FactName, type QuestionKey, questionKeys, questionWords } from './terms.ts'
import { countriesOf, dayText, leastVersionOf } from './words.ts'
import { once } from '../kit/once.ts'

type Facts = Omit<Report, 'answers'> & { medianMinutes: number | null }

type Fact = { text: string; fact: FactName }
const from = (fact: FactName, value: number | string): Fact => ({
  text: typeof value === 'number' ? grouped(value) : value,
  fact,
})

/** A sentence; null if its facts are missing. */
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
  const first = Math.min(testers.length, clock.requiredTesters)
  const lastOfThem = testers.map(({ joinedAt }) => joinedAt).toSorted()[first - 1]
  return [
    lastOfThem === undefined || campaign.startDate === null
      ? null
      : say`The first ${testersWords('runs', first)} joined within ${from('runs', counted(Math.max(1, Math.ceil(hoursBetween(campaign.startDate, lastOfThem) / 24)), 'day'))} of the start.`,
    sayUnfinished(dropOuts),
  ]
}

/** Rejected testers are not among them: they had finished and submitted a proof. */
const sayUnfinished = (dropOuts: Facts['dropOuts']): Sentence => {
  const unfinished = dropOuts.filter(({ how }) => how !== 'REJECTED')
  const replaced = unfinished.filter(({ replacedBy }) => replacedBy !== null).length
  const [gone, again] = [testersWords('dropOuts', unfinished.length), from('dropOuts', replaced)]
  if (unfinished.length === 0) return null
  if (unfinished.length === 1)
    return replaced === 1
      ? say`${gone} did not finish and was replaced.`
      : say`${gone} did not finish and was not replaced.`
  return replaced === 1
    ? say`${gone} did not finish; ${again} of them was replaced.`
    : say`${gone} did not finish; ${again} of them were replaced.`
}

const sayFeatures = (features: Facts['features']): Sentence => {
  const fewest = Math.min(...features.map(({ testers }) => testers.length))
  const tried = features.filter(({ testers }) => testers.length > 0).length
  if (features.length === 0) return null
  if (tried < features.length)
    return say`They tried ${from('features', tried)} of the ${from('features', counted(features.length, 'feature'))} that we asked about.`
  if (features.length === 1)
    return say`${testersWords('features', fewest)} tried ${from('features', 'the one feature')} that we asked about.`
  return say`All ${from('features', counted(features.length, 'feature'))} that we asked about were tried, each by at least ${testersWords('features', fewest)}.`
}

/** The devices of deleted accounts are not kept, so there may have been more models. */
const modelsOf = ({ testers, devices }: Pick<Facts, 'testers' | 'devices'>, noun: string): Fact =>
  from(
    'devices',
    `${testers.some(({ device }) => device.model === null) ? 'at least ' : ''}${counted(devices.length, noun)}`,
  )

const engagement = ({ testers, engagement: days, features, devices, medianMinutes }: Facts): Sentence[] => {
  const active = testers.filter(({ daysCheckedIn }) => daysCheckedIn > 0)
  const checkIns = days.reduce((sum, { checkIns: count }) => sum + count, 0)
  const medianDays = medianOf(active.map(({ daysCheckedIn }) => daysCheckedIn))
  return [
    checkIns === 0
      ? null
      : say`${testersWords('engagement', active.length)} checked in ${from('engagement', counted(checkIns, 'time'))} in total, over ${from('engagement', counted(days.length, 'day'))}.`,
    sayFeatures(features),
    // What the records say about "like production": how regularly, on which devices, and for how long.
    medianDays === null || active.length === 1
      ? null
      : say`Half of them checked in on ${from('runs', counted(medianDays, 'day'))} or more.`,
    devices.length === 0 || testers.length === 1
      ? null
      : say`They used their own devices, ${modelsOf({ testers, devices }, 'model')}.`,
    medianMinutes === null
      ? null
      : say`On half of the days with a recorded duration, they used the app for ${from('engagement', counted(medianMinutes, 'minute'))} or longer.`,
  ]
}

const inOrder = once(() => new Intl.Collator('en', { numeric: true }))

const severe = ({ severity }: Facts['bugs'][number]) => severity === 'CRITICAL' || severity === 'HIGH'

/** Bugs and their severity are recorded facts. Notes and comments only a reader can sum up. */
const feedback = (facts: Facts): Sentence[] => [...fromForm(facts), ...fromBugs(facts)]

/** Counts and means of the form. What testers wrote follows in the report, word for word. */
const fromForm = ({ feedback: form }: Facts): Sentence[] => {
  if (form === null) return []
  const { answered, sus, questions } = form
  const asked = questions.length + (sus ? susStatements.length : 0)
  const rated = questions.flatMap(({ text, mean }) => (mean === null ? [] : [{ text, mean }]))
  return [
    asked === 0
      ? null
      : say`${testersWords('feedback', answered)} answered the ${from('feedback', counted(asked, 'question'))} of our feedback form on Fieldtest.`,
    sus &&
      say`Their score on the System Usability Scale is ${from('feedback', `${oneDecimal(sus.score)} out of 100`)}.`,
    ...rated.map(
      ({ text, mean }) =>
        say`On average they gave ${from('feedback', `${quoted(text)} ${oneDecimal(mean)} out of 5`)}.`,
    ),
    ...questions.map(({ mean, counts, text, answered: of }) => {
      const [first] = counts.toSorted((a, b) => b.testers - a.testers)
      return mean !== null || !first
        ? null
        : say`${from('feedback', first.testers)} of ${from('feedback', of)} chose ${from('feedback', quoted(first.value))} for ${from('feedback', quoted(text))}.`
    }),
  ]
}

const fromBugs = ({ bugs }: Facts): Sentence[] => {
  if (bugs.length === 0) return []
  const finders = new Set(bugs.map(({ alias }) => alias)).size
  const grave = bugs.filter(severe).length
  const again = bugs.filter(({ status }) => status === 'DUPLICATE').length
  return [
    say`${testersWords('bugs', finders)} reported ${from('bugs', counted(bugs.length, 'bug'))} on Fieldtest, each with steps to reproduce it.`,
    grave === 0 ? null : say`They rated ${from('bugs', grave)} of them critical or high.`,
    again === 0 ? null : say`${from('bugs', again)} of them had been reported before.`,
  ]
}

const versionSentence = (version: string, texts: readonly string[]): Sentence =>
  say`In version ${from('changes', version)} we changed: ${from('changes', texts.map(withoutStop).join('; '))}.`

const withoutStop = (text: string) => text.replace(/[.;]+$/, '')

/** What the developer wrote about each version, and how it turned out. */
const changesMade = ({ bugs, changes }: Facts): Sentence[] => {
  const originals = bugs.filter(({ status }) => status !== 'DUPLICATE')
  const fixed = originals.filter(({ status }) => status === 'FIXED').length
  const works = bugs.filter(({ retest, fixedIn }) => fixedIn !== null && retest === 'WORKS')
  const answering = changes.filter(each => each.feedback.length > 0)
  const heard = new Set(answering.flatMap(each => each.feedback.map(({ alias }) => alias))).size
  const byVersion = [...Map.groupBy(changes, ({ version }) => version)]
  const checked = testersWords('bugs', new Set(works.map(({ alias }) => alias)).size)
  return [
    ...byVersion.map(([version, all]) =>
      versionSentence(
        version,
        all.map(({ text }) => text),
      ),
    ),
    heard === 0
      ? null
      : say`${from('changes', counted(answering.length, 'change'))} came from the feedback of ${testersWords('feedback', heard)}.`,
    fixed === 0
      ? null
      : say`We fixed ${from('bugs', fixed)} of the ${from('bugs', counted(originals.length, 'bug'))} that testers reported.`,
    works.length === 0 ? null : say`${checked} retested and confirmed the fixes.`,
  ]
}

const sayUsed = (models: Fact | null, systems: Fact | null): Sentence => {
  if (models && systems) return say`Our testers used ${models} with ${systems}.`
  const known = models ?? systems
  return known && say`Our testers used ${known}.`
}

/** Who tested the app. Only its developer knows who it is meant for. */
const audience = ({ campaign, testers, devices, osVersions }: Facts): Sentence[] => {
  if (devices.length === 0 && osVersions.length === 0) return []
  const system = platformNames[campaign.platform]
  const countries = countriesOf(campaign)
  const least = leastVersionOf(campaign)
  const versions = osVersions.map(({ version }) => version).toSorted(inOrder().compare)
  const [lowest, highest] = [versions[0], versions.at(-1)]
  const models = modelsOf({ testers, devices }, 'device model')
  return [
    countries.length === 0 ? null : say`We looked for testers in ${from('terms', allOf(countries))}.`,
    sayUsed(
      devices.length === 0 ? null : models,
      lowest === undefined || highest === undefined
        ? null
        : from('devices', `${system} ${lowest === highest ? lowest : `${lowest} to ${highest}`}`),
    ),
    least === null ? null : say`We asked for ${from('terms', `${system} ${least}`)} or newer.`,
  ]
}

const readiness = ({ testers, clock, features, writtenAt }: Facts): Sentence[] => {
  const whole = testers.filter(({ counts, runs }) => counts && (runs.at(-1)?.days ?? 0) >= clock.requiredDays)
  const verified = testers.filter(({ status }) => status === 'VERIFIED').length
  const reached = clock.earliestAt !== null && clock.earliestAt <= writtenAt && whole.length >= clock.requiredTesters
  const since = whole.map(({ runs }) => runs.at(-1)!.startedAt).toSorted()[clock.requiredTesters - 1]
  const everyDay = whole.filter(({ daysCheckedIn }) => daysCheckedIn >= clock.requiredDays).length
  const allTried = features.length > 0 && features.every(feature => feature.testers.length > 0)
  return [
    reached && since !== undefined
      ? say`${testersWords('runs', whole.length)} were opted in for at least ${from('runs', counted(clock.requiredDays, 'day'))} without a break, ${from('runs', clock.requiredTesters)} of them since ${from('runs', dayText(since))}.`
      : null,
    reached && everyDay > 0
      ? say`${from('runs', everyDay)} of them checked in on ${from('runs', counted(clock.requiredDays, 'day'))} or more.`
      : null,
    reached && allTried ? say`They tried ${from('features', 'every feature')} that we asked about.` : null,
    verified === 0 ? null : say`The work of ${testersWords('runs', verified)} was verified.`,
  ]
}

/** Not covered: value, installs and an earlier rejection, because they are not recorded. */
const sentences: Partial<Record<QuestionKey, (facts: Facts) => Sentence[]>> = {
  recruiting,
  ease,
  engagement,
  feedback,
  audience,
  changes: changesMade,
  readiness,
}

const lengthOf = (parts: readonly DraftPart[]) => parts.reduce((sum, { text }) => sum + text.length, 0)

/** As many whole sentences as fit into the limit. */
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
