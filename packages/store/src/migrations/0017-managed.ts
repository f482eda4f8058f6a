/** Which source of files manages a thing; null where people do. */
export default /* sql */ `
alter table monitors add column managed_by text;
alter table status_pages add column managed_by text;
alter table channels add column managed_by text;
alter table maintenance_windows add column managed_by text;
`
