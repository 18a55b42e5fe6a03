/** Every mutant in the tree, in the order of files and lines. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { conditions } from './conditions.ts'
import { type Edit, applyEdits, lineAt } from './edits.ts'
import { isEquivalent } from './equivalent.ts'
import { type Operator } from './operator.ts'
import { isLedgerRule, moneyFunctions } from './money.ts'
import { type Group, folderOf, groupOf, mutatedPaths, unmutatedPaths } from './places.ts'
import { sqlArguments } from './sqlArguments.ts'
import { sqlConditions } from './sqlConditions.ts'
import { sqlOperators } from './sqlOperators.ts'
import { type SqlFunction, liveFunctions, templatesIn } from './sqlPlaces.ts'
import { type Token, tokensOf } from './sqlTokens.ts'
import { statements } from './statements.ts'
import { declarationsIn } from './uses.ts'
import { type Node, type Place, calledName, nameOf, parse, placesIn } from './syntax.ts'
import { values } from './values.ts'
import { type Vocabulary, readVocabulary } from './vocabulary.ts'

export type Mutant = {
  /** Made from the file, the operator, the line's text and the change: the same as long as these are. */
  id: string
  path: string
  line: number
  group: Group
  operator: string
  edits: Edit[]
  /** The text that is changed, before and after, on one line. */
  before: string
  after: string
  /** The line on which it begins. */
  text: string
  /** The SQL function that contains it. */
  inFunction?: SqlFunction
  /** For the money: the function, file or declaration that it changes. */
  rule?: string
}

type File = { path: string; source: string }
/** `unmutated`: the modules in which no mutants are made. */
export type Tree = { files: File[]; unmutated: File[]; functions: SqlFunction[]; mutants: Mutant[] }

const operators: readonly Operator[] = [...conditions, ...values, ...statements]
const sqlOnes = [...sqlOperators, ...sqlConditions, ...sqlArguments]
export const operatorNames: readonly string[] = [...operators, ...sqlOnes].map(({ name }) => name)

const speaking = new Set(['error', 'message', 'summary', 'description', 'label', 'title', 'sentence'])
const telling = new Set(['log', 'warn', 'error', 'info', 'debug', 'logFailure', 'onError', 'describe'])

/** Whether it is part of a text for people or for the log. */
const isSaid = ({ node, around }: Place): boolean =>
  [node, ...around].some((outer, index, all) => {
    const parent = all[index + 1]
    if (!parent) return false
    if (outer.type === 'TemplateLiteral' && parent.type !== 'TaggedTemplateExpression')
      return calledName(parent)?.endsWith('Error') ?? false
    if (parent.type === 'Property' && parent.value === outer && speaking.has(nameOf(parent.key) ?? ''))
      return outer.type === 'Literal' || outer.type === 'TemplateLiteral'
    return parent.type === 'CallExpression' && parent.callee !== outer && telling.has(calledName(parent) ?? '')
  })

type Change = { operator: string; edits: Edit[] }

/** SQL templates have operators of their own, so TypeScript's apply only to what is inside `${…}`. */
const inTypeScript = (path: string, source: string, program: Node, vocabulary: Vocabulary): Change[] =>
  [...placesIn(program)]
    .filter(place => !isSaid(place))
    .flatMap(place =>
      operators.flatMap(({ name, find }) =>
        find(place, { path, source, vocabulary }).map(edits => ({ operator: name, edits })),
      ),
    )

const inSql = (path: string, source: string, tokens: readonly Token[], vocabulary: Vocabulary): Change[] =>
  [...tokens.keys()].flatMap(index =>
    sqlOnes.flatMap(({ name, find }) =>
      find({ path, source, tokens, vocabulary }, index).map(edits => ({ operator: name, edits })),
    ),
  )

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

const groupOfChange = (path: string, operator: string): Group => {
  if (operator === 'access') return 'access'
  return sqlOnes.some(({ name }) => name === operator) ? 'sql' : groupOf(path)
}

const mutantsOf = (path: string, source: string, changes: readonly Change[]): Mutant[] => {
  const seen = new Set([source])
  const alike = new Map<string, number>()
  return changes.flatMap(({ operator, edits }) => {
    if (edits.length === 0) return []
    const mutated = applyEdits(source, edits)
    if (seen.has(mutated)) return []
    seen.add(mutated)
    const start = Math.min(...edits.map(edit => edit.start))
    const end = Math.max(...edits.map(edit => edit.end))
    const after = mutated.slice(start, mutated.length - (source.length - end))
    const line = lineAt(source, start)
    const text = source.split('\n')[line - 1]!.trim()
    const said = [path, operator, text, inOneLine(after)].join('\0')
    alike.set(said, (alike.get(said) ?? 0) + 1)
    return [
      {
        id: createHash('sha256')
          .update(`${said}\0${alike.get(said)}`)
          .digest('hex')
          .slice(0, 12),
        path,
        line,
        group: groupOfChange(path, operator),
        operator,
        edits,
        before: inOneLine(source.slice(start, end)),
        after: inOneLine(after),
        text,
      },
    ]
  })
}

const mutantsOfSql = (files: readonly File[], vocabulary: Vocabulary) => {
  const functions = liveFunctions(files)
  const mutants = functions.flatMap(found => {
    const { source } = files.find(({ path }) => path === found.path)!
    const changes = inSql(found.path, source, tokensOf(source, found.body), vocabulary)
    return mutantsOf(found.path, source, changes).map(mutant => ({ ...mutant, inFunction: found }))
  })
  return { functions, mutants }
}

const mutantsOfTypeScript = (path: string, source: string, vocabulary: Vocabulary): Mutant[] => {
  const program = parse(path, source)
  if (!program) throw new Error(`${path} cannot be parsed`)
  const changes = [
    ...inTypeScript(path, source, program, vocabulary),
    ...templatesIn(program, source).flatMap(tokens => inSql(path, source, tokens, vocabulary)),
  ]
  return mutantsOf(path, source, changes)
}

/** The slice that a mutant belongs to: functions that move money belong to the ledger. */
export const sliceOf = ({ path, rule }: Mutant): string => (rule === undefined ? folderOf(path) : 'ledger')

/** In pure files each function and constant is a rule; of the server each file is one. */
const rulesOf = (functions: readonly SqlFunction[], files: readonly File[]) => {
  const money = moneyFunctions(functions, files)
  const declarations = new Map(
    files
      .filter(({ path }) => isLedgerRule(path) && !path.includes('/server/'))
      .map(({ path, source }) => [path, declarationsIn(parse(path, source)!)]),
  )
  return ({ path, edits, inFunction }: Mutant): Pick<Mutant, 'rule'> => {
    if (inFunction) return money.has(inFunction.name) ? { rule: inFunction.name } : {}
    if (!isLedgerRule(path)) return {}
    const around = declarations.get(path)?.find(({ start, end }) => start <= edits[0]!.start && edits[0]!.end <= end)
    const place = path.replace('src/ledger/', '')
    return { rule: around ? `${place} ${around.name}` : place }
  }
}

/** Reads the tree below `root`, without the mutants that nothing can tell from the original (equivalent.ts). */
export const readTree = (root: string): Tree => {
  const read = (path: string): File => ({ path, source: readFileSync(join(root, path), 'utf8') })
  const files = mutatedPaths(root).map(read)
  const vocabulary = readVocabulary(files)
  const sql = mutantsOfSql(
    files.filter(({ path }) => path.endsWith('.sql')),
    vocabulary,
  )
  const mutants = files.flatMap(({ path, source }) =>
    path.endsWith('.sql')
      ? sql.mutants.filter(mutant => mutant.path === path)
      : mutantsOfTypeScript(path, source, vocabulary),
  )
  const ruleOf = rulesOf(sql.functions, files)
  const ordered = mutants.filter(mutant => !isEquivalent(mutant)).map(mutant => ({ ...mutant, ...ruleOf(mutant) }))
  return { files, unmutated: unmutatedPaths(root).map(read), functions: sql.functions, mutants: ordered }
}
