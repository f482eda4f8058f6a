import { query } from './query.ts'

/** Takes `count` ids in a row for a noun and returns the last; gaps are allowed, repeats are not. */
export const takeIds = query<{ value: number }>(
  'sequence.take',
  `insert into sequences (name, value) values (@name, cast(@count as bigint))
   on conflict (name) do update set value = sequences.value + cast(@count as bigint)
   returning value`,
)
