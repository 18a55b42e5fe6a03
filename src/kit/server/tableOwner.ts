/**
 * Whose tables they are: the role that migrates has to own them, since what another one adds would not be the owner's to change.
 */
import type pg from 'pg'

type Other = {
  owner: string
  me: string
  /** A member has the owner's rights, and needs no others. A superuser is not one, though it may do anything. */
  isMember: boolean
}

/** Undefined if the tables belong to the role that is signed in, or do not exist yet. */
export const otherOwner = async (client: pg.Client): Promise<Other | undefined> => {
  const { rows } = await client.query<Other>(
    `select pg_get_userbyid(relowner) as owner, rolname::text as me,
      not rolsuper and pg_has_role(relowner, 'USAGE') as "isMember"
    from pg_class, pg_roles where pg_class.oid = to_regclass('public.schema_migrations') and rolname = current_user
      and relowner <> pg_roles.oid`,
  )
  return rows[0]
}

export const refuseOtherOwner = ({ owner, me }: Other): never => {
  throw new Error(
    `The tables of this database belong to “${owner}”, and DATABASE_MIGRATION_URL (if not set, DATABASE_DIRECT_URL or DATABASE_URL) ` +
      `signs in as “${me}”. Sign in as “${owner}” there, or name another database.`,
  )
}
