/** Holds statements halfway, so that a test can look at what happens while they are under way. */
import type pg from 'pg'

/** Creates the function `passing_gate()`, which waits while the gate is closed. */
export const makeGate = async (beside: pg.Client): Promise<void> => {
  await beside.query(`create table gate ();
    insert into gate default values;
    grant select, update on gate to public;
    create function passing_gate() returns boolean language plpgsql as $$
      begin
        loop
          perform from gate for key share skip locked;
          if found then return true; end if;
          perform pg_sleep(0.01);
        end loop;
      end $$`)
}

/** Until the keeper, whose connection this takes up, rolls back. */
export const closeGate = async (keeper: pg.Client): Promise<void> => {
  await keeper.query('begin; select from gate for update')
}
