import { ConstraintError, type Query } from './db.ts'
import { unavailable } from './unavailable.ts'

const rules: Record<string, ConstraintError['rule']> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_NOTNULL: 'not null',
  SQLITE_CONSTRAINT_CHECK: 'check',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign key',
  '23505': 'unique',
  '23502': 'not null',
  '23514': 'check',
  '23503': 'foreign key',
}

/**
 * A driver's error under the statement's name, with the driver's `code`; a broken rule, and a store that is away, are the
 * same on both engines.
 */
export function statementError(query: Query, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException
  const text = `${query.name}: ${message}`
  const rule = rules[code ?? '']
  const named =
    rule === undefined
      ? (unavailable(error, text) ?? new Error(text, { cause: error }))
      : new ConstraintError(query.name, rule, text, error)
  return Object.assign(named, { code })
}
