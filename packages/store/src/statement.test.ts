import { expect, test } from 'vitest'
import { checkParams, compile, forEngine } from './statement.ts'

const numbered = (sql: string) => compile({ name: 'q', sql }, (_, index) => `$${index}`)

test('each name becomes one parameter, however often it is there', () => {
  expect(numbered('select @a, @b where x = @a')).toMatchObject({ sql: 'select $1, $2 where x = $1', names: ['a', 'b'] })
})

test('text in quotes, quoted names and comments stay as they are', () => {
  const sql = `select 'a@b', "x@y", 'it''s @z' -- @no\n /* @never */ from t where c = @c`
  expect(numbered(sql)).toMatchObject({ sql: sql.replace('= @c', '= $1'), names: ['c'] })
})

test('a missing parameter is named, an undefined one too: a driver would store null', () => {
  const statement = numbered('select @a')
  expect(() => checkParams({ name: 'thing.read', sql: '' }, statement, {})).toThrow('thing.read needs @a')
  expect(() => checkParams({ name: 'thing.read', sql: '' }, statement, { a: undefined as never })).toThrow('needs @a')
})

test('a list where one value is meant is refused', () => {
  expect(() => checkParams({ name: 'q', sql: '' }, numbered('select @a'), { a: [1] })).toThrow('@a is one value')
  expect(() => checkParams({ name: 'q', sql: '' }, numbered('select 1 where x in (@a...)'), { a: 1 })).toThrow(
    '@a is a list',
  )
})

test("an engine gets its own pieces of a migration and not the other's", () => {
  const sql = 'create table t (a text) /*sqlite: without rowid*/ /*postgres: partition by range (a)*/;'
  expect(forEngine(sql, 'sqlite')).toBe('create table t (a text)  without rowid ;')
  expect(forEngine(sql, 'postgres')).toBe('create table t (a text)   partition by range (a);')
})
