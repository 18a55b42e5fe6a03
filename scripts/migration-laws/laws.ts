/**
 * What a migration may do while servers use the tables (decision 047). A table that the same file creates is empty, and those in
 * `small` always have few rows; all others are considered large.
 */
import type { AlterTableCmd, AlterTableStmt, Node, RangeVar } from 'libpg-query'
import {
  indexMadeBy,
  isRepeated,
  isTransactional,
  numberOf,
  statementsOf,
} from '../../src/kit/server/migrationFiles.ts'
import { ofCommand, takesAway } from './columns.ts'
import { kindOf, parsed, type SqlText, type Statement, within } from './parsed.ts'

/** One row for the whole product, or one for each name in the code. */
const small = new Set(['settings', 'test_clock', 'fraud_detectors', 'unsubscribe_keys', 'check_results'])

/** Files up to this number were applied before these laws existed. */
const lastLawless = 71

type Options = { after?: number; release: number; calledFunctions?: ReadonlySet<string> }

/** What the files so far have done. */
type Seen = {
  madeHere: Set<string>
  /** `table.constraint` → the column that it keeps from being null. */
  notNullChecks: Map<string, string>
  neverNull: Set<string>
}

/** A sentence for each breach, naming its file. */
export const breaches = (files: readonly SqlText[], { after = lastLawless, ...options }: Options): string[] => {
  const seen: Seen = { madeHere: new Set(), notNullChecks: new Map(), neverNull: new Set() }
  return files.flatMap(file => {
    seen.madeHere = new Set()
    const alone = !isTransactional(file.text)
    const statements = parsed(file)
    const found = statements.flatMap(statement => {
      const reasons = [
        ...ofStatement(statement, seen, alone),
        ...ofContract(statement, seen, options),
        ...(alone ? ofAlone(statement) : []),
      ]
      remember(statement.node, seen)
      return reasons.map(reason => `migrations/${file.name}: \`${shown(statement)}\` ${reason}.`)
    })
    const split = alone && statementsOf(file.text).length !== statements.length
    if (split)
      found.push(`migrations/${file.name}: each statement ends with its line, and no line inside it ends with \`;\`.`)
    return numberOf(file.name) > after ? found : []
  })
}

const shown = ({ text }: Statement) => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 90 ? `${line.slice(0, 90)}…` : line
}

const isLarge = (table: RangeVar | undefined, { madeHere }: Seen): boolean =>
  table?.relname !== undefined &&
  table.relpersistence !== 't' &&
  !madeHere.has(table.relname) &&
  !small.has(table.relname)

const commandsOf = ({ cmds = [] }: AlterTableStmt): AlterTableCmd[] =>
  cmds.flatMap(node => ('AlterTableCmd' in node ? [node.AlterTableCmd] : []))

const locksAll = 'locks everybody out of the table'

const ofStatement = ({ node }: Statement, seen: Seen, alone: boolean): string[] => {
  if ('IndexStmt' in node && isLarge(node.IndexStmt.relation, seen)) {
    if (!node.IndexStmt.concurrent) return [`builds an index while writes wait: ${concurrently}`]
    return alone ? [] : [`cannot run in a transaction: ${concurrently}`]
  }
  if ('AlterTableStmt' in node && isLarge(node.AlterTableStmt.relation, seen)) {
    const table = node.AlterTableStmt.relation!.relname!
    return commandsOf(node.AlterTableStmt).flatMap(command =>
      ofCommand(table, command, { neverNull: seen.neverNull, alone }),
    )
  }
  if ('UpdateStmt' in node && isLarge(node.UpdateStmt.relation, seen)) return ofChange(node, alone)
  if ('DeleteStmt' in node && isLarge(node.DeleteStmt.relation, seen)) return ofChange(node, alone)
  if ('DoStmt' in node) return ['cannot be checked: write plain statements']
  if ('TruncateStmt' in node || 'RepackStmt' in node || 'LockStmt' in node || 'ClusterStmt' in node) return [locksAll]
  if ('ReindexStmt' in node || 'VacuumStmt' in node || 'RefreshMatViewStmt' in node)
    return ['does not belong in a migration: it is maintenance']
  return []
}

const concurrently =
  'it needs `create index concurrently if not exists`, in a file that begins with `-- no transaction`'

const ofChange = (node: Node, alone: boolean): string[] => {
  if (!alone) return ['locks rows until all are done: do it in batches, in a file that begins with `-- no transaction`']
  const isLimited = [...within(node)].some(each => 'limitCount' in each)
  return isLimited ? [] : ['needs batches: `where id in (select id … limit 1000)`. It is repeated until no row is left']
}

/** Only what can be repeated after a crash may be in a file without a transaction. */
const ofAlone = ({ node, text }: Statement): string[] => {
  if ('IndexStmt' in node) return indexMadeBy(text) ? [] : [`must be written as ${concurrently.slice(9)}`]
  if ('UpdateStmt' in node || 'DeleteStmt' in node)
    return isRepeated(text) ? [] : ['must begin with update, delete or with']
  if ('DropStmt' in node && node.DropStmt.removeType === 'OBJECT_INDEX' && node.DropStmt.missing_ok) return []
  const validates =
    'AlterTableStmt' in node &&
    commandsOf(node.AlterTableStmt).every(({ subtype }) => subtype === 'AT_ValidateConstraint')
  return validates ? [] : ['cannot be repeated after a crash: put it into a file with a transaction']
}

/** Servers of the last release keep working while the next one replaces them, so what they use must not be removed. */
const ofContract = ({ node, note }: Statement, seen: Seen, { release, calledFunctions }: Omit<Options, 'after'>) => {
  const what = taken(node, seen, calledFunctions ?? new Set())
  if (what === undefined) return []
  const since = /^\s*-- contract: .*\brelease (\d+)\b/im.exec(note)?.[1]
  if (since === undefined)
    return [
      `${what}: write \`-- contract: not used since release N\` above it once the last release (${release}) no longer uses it`,
    ]
  return Number(since) <= release
    ? []
    : [`${what} that release ${release} uses: first make a release that does not use it (npm run release)`]
}

const taken = (node: Node, seen: Seen, called: ReadonlySet<string>): string | undefined => {
  if ('RenameStmt' in node && isLargeOrUnknown(node.RenameStmt.relation, seen)) return 'renames something'
  if ('AlterTableStmt' in node && !seen.madeHere.has(node.AlterTableStmt.relation?.relname ?? ''))
    return commandsOf(node.AlterTableStmt).some(takesAway) ? 'drops a column' : undefined
  if (!('DropStmt' in node)) return undefined
  const { removeType, objects = [] } = node.DropStmt
  if (removeType !== 'OBJECT_FUNCTION') return dropped.get(removeType!)
  const names = objects
    .flatMap(each => [...within(each)])
    .flatMap(({ sval }) => (typeof sval === 'string' ? [sval] : []))
  return names.some(name => called.has(name)) ? 'drops a function' : undefined
}

const isLargeOrUnknown = (table: RangeVar | undefined, { madeHere }: Seen) => !madeHere.has(table?.relname ?? '')

const dropped = new Map<string, string>([
  ['OBJECT_TABLE', 'drops a table'],
  ['OBJECT_VIEW', 'drops a view'],
  ['OBJECT_TYPE', 'drops a type'],
  ['OBJECT_SEQUENCE', 'drops a sequence'],
  ['OBJECT_INDEX', 'drops an index'],
])

const remember = (node: Node, seen: Seen): void => {
  if ('CreateStmt' in node) seen.madeHere.add(node.CreateStmt.relation?.relname ?? '')
  if ('CreateTableAsStmt' in node) seen.madeHere.add(node.CreateTableAsStmt.into?.rel?.relname ?? '')
  if (kindOf(node) !== 'AlterTableStmt' || !('AlterTableStmt' in node)) return
  const table = node.AlterTableStmt.relation?.relname ?? ''
  for (const { subtype, def, name } of commandsOf(node.AlterTableStmt)) {
    if (subtype === 'AT_ValidateConstraint') {
      const column = seen.notNullChecks.get(`${table}.${name}`)
      if (column !== undefined) seen.neverNull.add(`${table}.${column}`)
    }
    if (subtype !== 'AT_AddConstraint' || !def || !('Constraint' in def)) continue
    const { conname, raw_expr: test } = def.Constraint
    if (!test || !('NullTest' in test) || test.NullTest.nulltesttype !== 'IS_NOT_NULL') continue
    const column = [...within(test)].map(({ sval }) => sval).find(each => typeof each === 'string')
    if (conname !== undefined && column !== undefined) seen.notNullChecks.set(`${table}.${conname}`, column)
  }
}
