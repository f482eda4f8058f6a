/**
 * Text in the order of its bytes on PostgreSQL, too, whatever language the database was made for: lists are in the same
 * order on both engines, and indexes serve comparisons.
 */
export default /* sql */ `
/*postgres:
do $$
declare of record;
begin
  for of in
    select c.oid::regclass as relation, a.attname as name
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attislocal and a.atttypid = 'text'::regtype
      and a.attcollation = '"default"'::regcollation
  loop
    execute format('alter table %s alter column %I type text collate "C"', of.relation, of.name);
  end loop;
end $$;
*/
`
