/**
 * How servers call the SQL functions. While servers of the next release replace those of the last one, the old servers keep
 * calling the functions that they know. So these keep their signatures; a function that the last release no longer called may go.
 */
import type { CreateFunctionStmt, TypeName } from 'libpg-query'
import { parsed, type SqlText } from './parsed.ts'

const typeOf = (type: TypeName | undefined): string => {
  const name = (type?.names ?? []).flatMap(each => ('String' in each ? [each.String.sval] : [])).at(-1)
  return `${type?.setof ? 'setof ' : ''}${name ?? 'void'}${'[]'.repeat(type?.arrayBounds?.length ?? 0)}`
}

const modes: Record<string, string> = {
  FUNC_PARAM_OUT: 'out ',
  FUNC_PARAM_INOUT: 'inout ',
  FUNC_PARAM_VARIADIC: 'variadic ',
  FUNC_PARAM_TABLE: 'column ',
}

const signatureOf = ({ parameters = [], returnType, is_procedure: isProcedure }: CreateFunctionStmt): string => {
  const written = parameters.flatMap(each => {
    if (!('FunctionParameter' in each)) return []
    const { name, argType, mode, defexpr } = each.FunctionParameter
    return [`${modes[mode ?? ''] ?? ''}${name ?? ''} ${typeOf(argType)}${defexpr ? ' default' : ''}`]
  })
  return `(${written.join(', ')}) → ${isProcedure ? 'procedure' : typeOf(returnType)}`
}

/** `-- Retired: …` in a file's first comment: servers of this release do not call it, but those of the previous one do. */
const isRetired = ({ text }: SqlText): boolean => /^(?:--.*\n)*-- Retired\b/.test(text)

const nameOf = ({ name }: SqlText) => name.replace(/\.sql$/, '')

/** Name → signature, for the functions that servers of this release call. */
export const calledOf = (files: readonly SqlText[]): Record<string, string> =>
  Object.fromEntries(
    files
      .filter(file => !isRetired(file))
      .flatMap(file => signaturesOf(file).map(each => [nameOf(file), each] as const)),
  )

const signaturesOf = (file: SqlText): string[] =>
  parsed(file).flatMap(({ node }) => ('CreateFunctionStmt' in node ? [signatureOf(node.CreateFunctionStmt)] : []))

/** A sentence for each function that servers of the last release would not find. */
export const missedFunctions = (
  files: readonly SqlText[],
  last: { release: number; functions: Readonly<Record<string, string>> },
): string[] => {
  const present = new Map(files.map(file => [nameOf(file), signaturesOf(file).join(' and ')]))
  return Object.entries(last.functions).flatMap(([name, signature]) => {
    const now = present.get(name)
    if (now === signature) return []
    const way = `servers of release ${last.release} still call it while they are being replaced`
    return now === undefined
      ? [
          `migrations/functions/${name}.sql is gone, and ${way}: keep it for this release, with \`-- Retired\` above it.`,
        ]
      : [
          `migrations/functions/${name}.sql was ${signature} and is ${now}, but ${way}: give the new one a new name, and keep this one for a release, with \`-- Retired\` above it.`,
        ]
  })
}

/** A sentence for each retired function that this release still calls. */
export const calledRetired = (files: readonly SqlText[], sources: readonly SqlText[]): string[] =>
  files.filter(isRetired).flatMap(file => {
    const called = new RegExp(`\\b${nameOf(file)}\\s*\\(`)
    const others = files.filter(other => other !== file && !isRetired(other))
    return [...others.map(other => ({ ...other, name: `migrations/functions/${other.name}` })), ...sources]
      .filter(({ text }) => called.test(text))
      .map(({ name }) => `migrations/functions/${file.name} is marked as retired, but ${name} calls ${nameOf(file)}.`)
  })
