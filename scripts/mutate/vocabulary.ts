/** The enums of the product (statuses, roles, codes), whose words can replace each other. */
import { folderOf } from './places.ts'
import { type Node, isNode, listOf, parse, stringOf } from './syntax.ts'

/** `column`: the column whose check lists the words. */
type Words = { path: string; words: readonly string[]; column?: string }
export type Vocabulary = readonly Words[]

/** Every node, types included, because `'A' | 'B'` is a list as well. */
function* allNodes(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* allNodes(child)
}

const literalOfType = (node: Node) => (node.type === 'TSLiteralType' ? stringOf(node.literal) : null)

const onlyStrings = (values: (string | null)[]): string[] | null =>
  values.length > 1 && values.every(value => value !== null) ? values : null

const isCode = (word: string) => /^[A-Z][A-Z0-9_]+$/.test(word)

const wordsOf = (node: Node): string[] | null => {
  if (node.type === 'TSUnionType') {
    // `'id' | 'name'` selects properties.
    const words = onlyStrings(listOf(node.types).map(literalOfType))
    return words?.every(isCode) ? words : null
  }
  if (node.type === 'TSAsExpression' && isNode(node.expression) && node.expression.type === 'ArrayExpression')
    return onlyStrings(listOf(node.expression.elements).map(stringOf))
  const isEnum = node.type === 'CallExpression' && isNode(node.callee) && isNode(node.callee.property)
  const [list] = isEnum ? listOf(node.arguments) : []
  return list?.type === 'ArrayExpression' ? onlyStrings(listOf(list.elements).map(stringOf)) : null
}

const inSql = (source: string) =>
  [...source.matchAll(/check\s*\(\s*(\w+)\s+in\s*\(([^)]*)\)/gi)].map(([, column, list]) => ({
    column: column!.toLowerCase(),
    words: [...list!.matchAll(/'([^']*)'/g)].map(([, word]) => word!),
  }))

export const readVocabulary = (files: readonly { path: string; source: string }[]): Vocabulary =>
  files.flatMap(({ path, source }) => {
    if (path.endsWith('.sql')) return inSql(source).map(list => ({ path, ...list }))
    const program = parse(path, source)
    const lists = program ? [...allNodes(program)].map(wordsOf).filter(words => words !== null) : []
    return lists.map(words => ({ path, words }))
  })

/**
 * Another word from a list that contains `word`. Of several lists, one of the same column or of the file's slice is preferred;
 * then in SQL the longest, because tables share the names of their states, and in TypeScript the shortest, which is probably its
 * type. In SQL only codes are words; other strings are names inside of JSON.
 */
export const anotherWord = (vocabulary: Vocabulary, path: string, word: string, column?: string): string | null => {
  const isSql = path.endsWith('.sql')
  const isWord = isSql ? isCode(word) : word !== ''
  const lists = isWord ? vocabulary.filter(({ words }) => words.includes(word)) : []
  const fit = (list: Words) =>
    (column !== undefined && list.column === column ? 2 : 0) + (folderOf(list.path) === folderOf(path) ? 1 : 0)
  const [list] = lists.toSorted(
    (a, b) => fit(b) - fit(a) || (b.words.length - a.words.length) * (isSql || column !== undefined ? 1 : -1),
  )
  return list ? list.words[(list.words.indexOf(word) + 1) % list.words.length]! : null
}

/** Whether a list of words is defined here rather than used. */
export const definesWords = (around: readonly Node[]): boolean => around[1] !== undefined && wordsOf(around[1]) !== null
