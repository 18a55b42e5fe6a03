/** Splits SQL into tokens, from a function's body or a template in TypeScript. */

export type Token = {
  kind: 'word' | 'name' | 'number' | 'string' | 'symbol' | 'hole'
  /** Words in lower case, strings without their quotes. */
  text: string
  start: number
  end: number
  /** The number of brackets open around it; a bracket itself counts for neither of its sides. */
  depth: number
}

type Range = { start: number; end: number }

const patterns: [Token['kind'] | 'space', RegExp][] = [
  ['space', /\s+|--[^\n]*|\/\*[\s\S]*?\*\//y],
  ['string', /[eE]?'(?:[^']|'')*'/y],
  ['name', /"[^"]*"/y],
  ['number', /\d+(?:\.\d+)?/y],
  ['word', /[a-z_]\w*/iy],
  ['symbol', /::|:=|=>|<=|>=|<>|!=|->>|->|\|\||@>|<@|&&|\$\d+|[^\s]/y],
]

/** The tokens of `source` within `range`; each of `holes` (`${…}`) is one token. */
export const tokensOf = (source: string, range: Range, holes: readonly Range[] = []): Token[] => {
  const tokens: Token[] = []
  let depth = 0
  let at = range.start
  while (at < range.end) {
    const hole = holes.find(({ start }) => start === at)
    if (hole) {
      tokens.push({ kind: 'hole', text: '${}', start: at, end: hole.end, depth })
      at = hole.end
      continue
    }
    const [kind, text] = read(source, at)
    const end = at + text.length
    if (kind !== 'space') {
      if (text === ')') depth--
      tokens.push({ kind, text: normal(kind, text), start: at, end, depth })
      if (text === '(') depth++
    }
    at = end
  }
  return tokens
}

const read = (source: string, at: number): [Token['kind'] | 'space', string] => {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    if (match) return [kind, match[0]]
  }
  return ['space', source[at]!]
}

const normal = (kind: Token['kind'] | 'space', text: string) => {
  if (kind === 'word') return text.toLowerCase()
  return kind === 'string' ? text.slice(text.indexOf("'") + 1, -1) : text
}

/** Whether the tokens from `index` on are these words and symbols. */
export const isAt = (tokens: readonly Token[], index: number, ...texts: string[]): boolean =>
  texts.every((text, offset) => {
    const token = tokens[index + offset]
    return token !== undefined && token.kind !== 'string' && token.kind !== 'name' && token.text === text
  })

/** The first token from `index` on at this depth that is one of `texts`, or that closes a bracket around it. */
export const endOf = (tokens: readonly Token[], index: number, depth: number, texts: ReadonlySet<string>): number => {
  for (let at = index; at < tokens.length; at++) {
    const { depth: here, text, kind } = tokens[at]!
    if (here < depth || (here === depth && (kind === 'word' || kind === 'symbol') && texts.has(text))) return at
  }
  return tokens.length
}
