import { query } from './query.ts'

/** Results accepted and not in the tables yet, in the order they came in. */
export const journal = query<{ id: number; data: Uint8Array }>(
  'journal.read',
  'select id, data from result_journal order by id',
)

export const writeJournal = query('journal.write', 'insert into result_journal (id, data) values (@id, @data)')

/** What is in the tables by now. */
export const trimJournal = query('journal.trim', 'delete from result_journal where id < @before')

/** Who looked: name and region of the probes in a history. A probe that was deleted keeps its row for this. */
export const probesByIds = query<{ id: number; name: string; region: string }>(
  'probe.byIds',
  'select id, name, region from probes where id in (@ids...) and team_id in (0, @team_id)',
)
