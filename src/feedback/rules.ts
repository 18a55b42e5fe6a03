/** The rules of feedback forms: which version a tester answers, and which answers are valid. Pure. */
import { DomainError, type FieldErrors } from '../kit/errors.ts'
import type { Answers, DueForm, GivenFeedback, NewQuestion, Question } from './contract.ts'
import { formLimits, hasOptions, ratings } from './terms.ts'
import { isVisible } from '../kit/seenText.ts'
import { grouped } from '../kit/words.ts'

export type FormVersion = {
  version: number
  questions: Question[]
  /** How many testers had joined when it was saved. */
  afterOrdinal: number
  savedAt: string
}

const invalid = (fields: FieldErrors) =>
  new DomainError('INVALID_INPUT', Object.values(fields)[0] ?? 'The feedback is not valid.', { fields })

const sameWords = (a: Question, b: Question): boolean =>
  a.kind === b.kind &&
  a.text === b.text &&
  a.sus === b.sus &&
  a.low === b.low &&
  a.high === b.high &&
  JSON.stringify(a.options) === JSON.stringify(b.options)

/** Someone who started from another version would undo what was saved since. */
export const assertMadeFrom = (version: number | null | undefined, present: number | null): void => {
  if (version === undefined || version === present) return
  throw new DomainError(
    'WRONG_STATE',
    'The form has been changed in another window in the meantime. Reload it, and make your changes again.',
  )
}

/**
 * The questions of the next version. A question that says the same as before keeps its id, so that its answers are counted
 * together; a changed question gets a new id. A question without an id may also be unchanged: the author may never have received
 * the reply to an earlier save, which contained the ids.
 */
export const settled = (
  asked: readonly NewQuestion[],
  before: readonly Question[],
  newId: () => string,
): Question[] => {
  const questions = asked.map(({ kind, text, required, options, low, high, sus }): Question => {
    const isRating = kind === 'RATING'
    return {
      id: '',
      kind,
      text,
      required,
      options: hasOptions(kind) ? options : [],
      low: (isRating && low) || null,
      high: (isRating && high) || null,
      sus: sus ?? null,
    }
  })
  // A named id belongs to the first question that names it, even if that question says something else.
  const free = new Map(before.map(question => [question.id, question]))
  const named = asked.map(({ id }) => {
    const old = id ? free.get(id) : undefined
    if (old) free.delete(old.id)
    return old
  })
  return questions.map((question, place) => {
    const like = (old: Question | undefined) => old !== undefined && sameWords(old, question)
    const old = asked[place]!.id ? named[place] : [...free.values()].find(like)
    if (!old || !like(old)) return { ...question, id: newId() }
    free.delete(old.id)
    return { ...question, id: old.id }
  })
}

/** Equal questions have equal ids, thanks to `settled`. */
export const sameForm = (a: readonly Question[], b: readonly Question[]): boolean =>
  a.length === b.length && a.every(({ id, required }, index) => id === b[index]?.id && required === b[index].required)

/** The tester's own version: the last one saved before they joined. `versions` come newest first. */
const joinedWith = (versions: readonly FormVersion[], ordinal: number): FormVersion | undefined =>
  versions.find(({ afterOrdinal }) => afterOrdinal < ordinal)

/**
 * What a tester is asked: the form that they joined with. A tester who joined before there was a form is asked the present one, but
 * need not answer. A form that was removed is not asked of anyone.
 */
export const dueForm = (versions: readonly FormVersion[], ordinal: number): DueForm | null => {
  const [present] = versions
  if (!present || present.questions.length === 0) return null
  const own = joinedWith(versions, ordinal)
  if (own && own.questions.length > 0) return { version: own.version, questions: own.questions, required: true }
  return { version: present.version, questions: present.questions, required: false }
}

/** Questions of any version that these answers belong to, apart from those already shown. `versions` come newest first. */
export const answeredBesides = (
  shown: readonly Question[],
  versions: readonly FormVersion[],
  all: readonly Answers[],
): Question[] => {
  const answered = new Set(all.flatMap(answers => Object.keys(answers)))
  const seen = new Set(shown.map(({ id }) => id))
  return versions
    .flatMap(({ questions }) => questions)
    .filter(({ id }) => answered.has(id) && !seen.has(id) && seen.add(id))
}

const isRating = (value: unknown): value is number => ratings.some(rating => rating === value)

/** The answer in the form in which it is stored; an error if it is invalid; undefined if nothing was answered. */
const readAnswer = (
  { kind, options }: Question,
  value: Answers[string] | undefined,
): Answers[string] | Error | undefined => {
  if (value === undefined || value === '') return undefined
  switch (kind) {
    case 'RATING':
      return isRating(value) ? value : new Error(`Give a number from ${ratings[0]} to ${ratings.at(-1)}`)
    case 'CHOICE':
      return typeof value === 'string' && options.includes(value) ? value : new Error('Choose one of the options')
    case 'MULTIPLE_CHOICE': {
      if (!Array.isArray(value) || value.some(one => !options.includes(one)))
        return new Error('Choose from the options')
      const chosen = options.filter(option => value.includes(option))
      return chosen.length > 0 ? chosen : undefined
    }
    case 'SHORT_TEXT':
    case 'LONG_TEXT': {
      if (typeof value !== 'string') return new Error('Answer with text')
      const most = kind === 'SHORT_TEXT' ? formLimits.shortText : formLimits.longText
      const words = value.trim()
      if (words.length > most) return new Error(`An answer may have at most ${grouped(most)} characters`)
      return words !== '' && isVisible(words) ? words : undefined
    }
  }
}

/** By question. With `needed`, the required questions must be answered. */
export const problemsOf = (questions: readonly Question[], answers: Answers, needed: boolean): FieldErrors =>
  Object.fromEntries(
    questions.flatMap(question => {
      const answer = readAnswer(question, answers[question.id])
      if (answer instanceof Error) return [[question.id, answer.message]]
      return needed && question.required && answer === undefined ? [[question.id, 'Answer this question']] : []
    }),
  )

/** Keeps only valid answers to questions that the form has. */
const kept = (questions: readonly Question[], answers: Answers): Answers =>
  Object.fromEntries(
    questions.flatMap(question => {
      const answer = readAnswer(question, answers[question.id])
      return answer === undefined || answer instanceof Error ? [] : [[question.id, answer]]
    }),
  )

type Asked = {
  versions: readonly FormVersion[]
  ordinal: number
  /** The tester's earlier answers. */
  before: Answers | undefined
  /** Prefix for the names of invalid fields. */
  at: string
}

const named = (problems: FieldErrors, at: string) =>
  Object.fromEntries(Object.entries(problems).map(([id, message]) => [`${at}answers.${id}`, message]))

/**
 * The feedback to store with a proof; null if the stored one stays as it is. An earlier answer that is no longer given counts as
 * cleared, but answers to questions of other versions stay. A tester who owes a form must answer that version. Anyone else may
 * answer any version, so that a form that changes meanwhile does not block a proof.
 */
export const feedbackToKeep = (
  given: GivenFeedback | undefined,
  { versions, ordinal, before, at }: Asked,
): { version: number; answers: Answers } | null => {
  const due = dueForm(versions, ordinal)
  if (!given) {
    if (!due?.required || before) return null
    const problems = problemsOf(due.questions, {}, true)
    if (Object.keys(problems).length > 0) throw invalid(named(problems, at))
    return null
  }
  const version = versions.find(one => one.version === given.version)
  if (!version || (due?.required && due.version !== given.version))
    throw invalid({ [`${at}version`]: 'Answer the version of the form that you were shown' })
  const known = new Set(version.questions.map(({ id }) => id))
  const unknown = Object.keys(given.answers).filter(id => !known.has(id))
  const problems = {
    ...Object.fromEntries(unknown.map(id => [id, 'The form has no such question'])),
    ...problemsOf(version.questions, given.answers, due?.required === true),
  }
  if (Object.keys(problems).length > 0) throw invalid(named(problems, at))
  const answers = kept(version.questions, given.answers)
  const clears = before !== undefined && Object.keys(before).some(id => known.has(id))
  if (!due?.required && !clears && Object.keys(answers).length === 0) return null
  return { version: given.version, answers: { ...without(known, before ?? {}), ...answers } }
}

const without = (questionIds: ReadonlySet<string>, answers: Answers): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([id]) => !questionIds.has(id)))
