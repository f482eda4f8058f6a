import type { Query, Row } from '../db.ts'

/** A statement with the type of its rows. */
export const query = <R = Row>(name: string, sql: string): Query<R> => ({ name, sql })
