/** What `alter table` may do to a table with many rows: nothing that reads or writes all of them while others wait. */
import type { AlterTableCmd, ColumnDef, Constraint, Node } from 'libpg-query'
import { kindOf } from './parsed.ts'

/** What earlier files have ensured: each `table.column` that is never null. */
export type Known = { neverNull: ReadonlySet<string>; alone: boolean }

const constraintsOf = (column: ColumnDef): Constraint[] =>
  (column.constraints ?? []).flatMap(node => ('Constraint' in node ? [node.Constraint] : []))

/** The same for every row: PostgreSQL then stores it once instead of rewriting every row. */
const isConstant = (node: Node | undefined): boolean => {
  if (!node) return true
  if ('A_Const' in node || 'SQLValueFunction' in node) return true
  if ('TypeCast' in node) return isConstant(node.TypeCast.arg)
  if ('A_ArrayExpr' in node) return (node.A_ArrayExpr.elements ?? []).every(isConstant)
  if ('A_Expr' in node) return isConstant(node.A_Expr.lexpr) && isConstant(node.A_Expr.rexpr)
  if (!('FuncCall' in node)) return false
  const names = (node.FuncCall.funcname ?? []).map(each => ('String' in each ? each.String.sval : ''))
  return names.at(-1) === 'now'
}

const isSerial = ({ typeName }: ColumnDef) =>
  (typeName?.names ?? []).some(each => 'String' in each && /serial/.test(each.String.sval ?? ''))

const readsAll =
  'reads every row while others wait: add the constraint with `not valid`, and validate it in a file of its own'

const ofNewColumn = (column: ColumnDef): string[] => {
  const constraints = constraintsOf(column)
  const has = (type: Constraint['contype']) => constraints.find(({ contype }) => contype === type)
  const preset = has('CONSTR_DEFAULT')
  return [
    ...(preset && !isConstant(preset.raw_expr)
      ? ['writes every row for its default: add the column without one, set the default, and fill it in batches']
      : []),
    ...(has('CONSTR_GENERATED') || has('CONSTR_IDENTITY') || isSerial(column)
      ? ['writes every row: add a plain column, and fill it in batches']
      : []),
    ...(has('CONSTR_NOTNULL') && !preset
      ? ['refuses rows from servers that do not know the column: give it a default']
      : []),
    ...(has('CONSTR_UNIQUE') || has('CONSTR_PRIMARY')
      ? ['builds an index while writes wait: create a unique index concurrently']
      : []),
    ...(has('CONSTR_CHECK') || (has('CONSTR_FOREIGN') && preset) ? [readsAll] : []),
  ]
}

const readable = ['CONSTR_CHECK', 'CONSTR_FOREIGN', 'CONSTR_NOTNULL']

const ofConstraint = ({ contype = 'CONSTR_NULL', skip_validation: later, indexname }: Constraint): string[] => {
  if (readable.includes(contype)) return later ? [] : [readsAll]
  return indexname
    ? []
    : ['builds an index while writes wait: create it concurrently, then add the constraint `using index`']
}

/** Removes what servers of the previous release may still use. */
export const takesAway = (command: AlterTableCmd): boolean => command.subtype === 'AT_DropColumn'

const rewrites = new Map<AlterTableCmd['subtype'], string>([
  [
    'AT_AlterColumnType',
    'writes every row while everybody waits: add a column of the new type, and fill it in batches',
  ],
  ['AT_SetExpression', 'writes every row while everybody waits: add a plain column, and fill it in batches'],
  ['AT_AddIdentity', 'writes every row while everybody waits'],
  ['AT_SetLogged', 'writes the whole table while everybody waits'],
  ['AT_SetUnLogged', 'writes the whole table while everybody waits'],
  ['AT_SetTableSpace', 'writes the whole table while everybody waits'],
  ['AT_SetAccessMethod', 'writes the whole table while everybody waits'],
])

/** Why `alter table` may not do this to a table with many rows. */
export const ofCommand = (table: string, command: AlterTableCmd, { neverNull, alone }: Known): string[] => {
  const { subtype, def, name } = command
  const rewrite = rewrites.get(subtype)
  if (rewrite) return [rewrite]
  if (subtype === 'AT_AddColumn' && def && 'ColumnDef' in def) return ofNewColumn(def.ColumnDef)
  if (subtype === 'AT_AddConstraint' && def && kindOf(def) === 'Constraint')
    return ofConstraint((def as { Constraint: Constraint }).Constraint)
  if (subtype === 'AT_SetNotNull' && !neverNull.has(`${table}.${name}`))
    return [
      `reads every row while others wait: first add check (${name} is not null) with \`not valid\`, and validate it in a file of its own`,
    ]
  if (subtype === 'AT_ValidateConstraint' && !alone)
    return [
      'holds the locks of this file while it reads every row: it belongs in a file that begins with `-- no transaction`',
    ]
  return []
}
