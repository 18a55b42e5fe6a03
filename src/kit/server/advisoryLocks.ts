/** Every advisory lock of the database, including those of SQL functions: two with the same number would block each other. */
import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from './db.ts'

/** One for the whole database. */
export const wholeLocks = {
  FIRST_ADMIN: 73_043,
  /** Held by the session (migrate.ts). */
  MIGRATIONS: 7_304_112,
  /** Taken by fold_figures.sql and mend_figures.sql. */
  FIGURES: 7_304_291,
  GOODWILL: 7_304_292,
  SANDBOX_FILE: 7_304_293,
  BREACHES: 7_304_294,
  MONEY_CHANGES: 7_304_295,
  BACKUP_SLOTS: 7_304_296,
  NEW_ADMINS: 7_304_297,
} as const

/** One for each thing. PostgreSQL keeps these locks of two numbers apart from locks of one number. */
export const locksOfEach = {
  /** Guesses of a password: by whose password it is, and by where they come from. */
  GUESS_BUDGET: 73_041,
  GUESS_NETWORK: 73_042,
  FACTOR_GUESSES: 73_043,
  SIGN_INS: 73_044,
  /** Taken by hold_free_balances.sql. */
  FREE_BALANCE: 73_045,
  /** The place of its backups, by installation. */
  BACKUP_PLACE: 73_046,
  /** Held by the session, with the number of the release (releases.ts). */
  RUNNING_RELEASE: 7_304_113,
} as const

/** Held until the end of the transaction. */
export const holdLock = (tx: Tx, name: keyof typeof wholeLocks): Promise<unknown> =>
  tx.rows(sql`select pg_advisory_xact_lock(${wholeLocks[name]})`)

/** To be selected: locks this thing until the end of the transaction. Nothing is locked for null. */
export const lockOf = (name: keyof typeof locksOfEach, thing: string | null): Sql =>
  sql`pg_advisory_xact_lock(${locksOfEach[name]}, hashtext(${thing}))`
