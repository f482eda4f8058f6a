import { DatabaseSync } from 'node:sqlite'

/** Tables as Uptime Kuma 2 makes them, as far as they say what is watched. */
const tables = `
create table user (id integer primary key, username varchar(255), password varchar(255), active boolean default 1);
create table docker_host (id integer primary key, user_id integer, docker_daemon varchar(255), name varchar(255));
create table proxy (id integer primary key, user_id integer, protocol varchar(10), host varchar(255), port smallint);
create table monitor (
  id integer primary key autoincrement, name varchar(150), active boolean not null default 1, user_id integer,
  interval integer not null default 20, url text, type varchar(20), weight integer default 2000, hostname varchar(255),
  port integer, created_date datetime not null default current_timestamp, keyword varchar(255),
  maxretries integer not null default 0, ignore_tls boolean not null default 0, upside_down boolean not null default 0,
  maxredirects integer not null default 10, accepted_statuscodes_json text not null default '["200-299"]',
  dns_resolve_type varchar(5), dns_resolve_server varchar(255), dns_last_result varchar(255),
  retry_interval integer not null default 0, push_token varchar(32), method text not null default 'GET', body text,
  headers text, basic_auth_user text, basic_auth_pass text, docker_host integer, docker_container varchar(255),
  proxy_id integer, expiry_notification boolean default 1, auth_method varchar(250),
  resend_interval integer not null default 0, packet_size integer not null default 56, http_body_encoding varchar(25),
  description text, tls_ca text, parent integer, invert_keyword boolean not null default 0, json_path text,
  expected_value varchar(255), timeout double not null default 0, ip_family varchar(4), conditions text default '[]',
  json_path_operator varchar(255)
);
create table notification (id integer primary key, name varchar(255), active boolean default 1, user_id integer,
  is_default boolean default 0, config text);
create table monitor_notification (id integer primary key, monitor_id integer, notification_id integer);
create table tag (id integer primary key, name varchar(255), color varchar(255));
create table monitor_tag (id integer primary key, monitor_id integer, tag_id integer, value text);
create table "group" (id integer primary key, name varchar(255), public boolean default 0, active boolean default 1,
  weight integer default 1000, status_page_id integer);
create table monitor_group (id integer primary key, monitor_id integer, group_id integer, weight integer default 1000,
  send_url boolean default 0);
create table status_page (id integer primary key, slug varchar(255), title varchar(255), description text,
  icon varchar(255), theme varchar(30), published boolean default 1, footer_text text, custom_css text);
create table maintenance (id integer primary key, title varchar(150), description text, user_id integer,
  active boolean default 1, strategy varchar(50) default 'single', start_date datetime, end_date datetime,
  weekdays varchar(250) default '[]', cron text, timezone varchar(255), duration integer);
create table monitor_maintenance (id integer primary key, monitor_id integer, maintenance_id integer);
create table setting (id integer primary key, key varchar(200), value text, type varchar(20));
create table heartbeat (id integer primary key, monitor_id integer, status smallint, time datetime);
`

const rows = `
insert into monitor (id, name, type, interval, retry_interval, maxretries, timeout, url, expiry_notification, parent)
  values (1, 'Acme', 'group', 60, 60, 0, 48, 'https://', 0, null),
         (2, 'Shop', 'http', 60, 30, 3, 48, 'https://shop.acme.example/', 1, 1);
insert into monitor (id, name, type, interval, timeout, url, keyword, invert_keyword, accepted_statuscodes_json,
    expiry_notification, headers, ip_family, auth_method, basic_auth_user, basic_auth_pass)
  values (3, 'Basket', 'keyword', 30, 24, 'https://shop.acme.example/basket', 'Your basket', 0, '["200-299","401"]', 0,
    '{"X-Api-Key":"k-123"}', 'ipv4', 'basic', 'monitor', 'hunter2');
insert into monitor (id, name, type, interval, timeout, url, json_path, json_path_operator, expected_value, method)
  values (4, 'API', 'json-query', 60, 48, 'http://api.acme.example/', '$.status', '==', 'ok', 'POST');
insert into monitor (id, name, type, interval, timeout, hostname, port, active)
  values (5, 'Database', 'port', 20, 16, '2001:db8::5', 5432, 1), (6, 'Router', 'ping', 60, 48, '192.0.2.1', null, 0);
insert into monitor (id, name, type, interval, timeout, hostname, port, dns_resolve_type, dns_resolve_server)
  values (7, 'Zone', 'dns', 300, 48, 'acme.example', 53, 'AAAA', '1.1.1.1');
insert into monitor (id, name, type, interval, push_token) values (8, 'Nightly', 'push', 60, 'abc');
insert into notification (id, name, config) values
  (1, 'Ops', '{"type":"discord","discordWebhookUrl":"https://discord.com/api/webhooks/0/x"}'),
  (2, 'Phone', '{"type":"pushover","pushoveruserkey":"x"}');
insert into monitor_notification (monitor_id, notification_id) values (2, 1), (3, 1), (2, 2);
insert into tag (id, name, color) values (1, 'prod', '#DC2626');
insert into monitor_tag (monitor_id, tag_id, value) values (2, 1, '');
insert into status_page (id, slug, title, description, icon, theme, custom_css)
  values (1, 'acme', 'Acme status', 'How we are doing', '/icon.svg', 'auto', 'body { color: red }');
insert into "group" (id, name, weight, status_page_id) values (2, 'Behind it', 2, 1), (1, 'Shop', 1, 1);
insert into monitor_group (monitor_id, group_id, weight) values (3, 1, 2), (2, 1, 1), (5, 2, 1), (8, 2, 2);
insert into maintenance (id, title, strategy, start_date, end_date, timezone) values
  (1, 'New disks', 'single', '2099-05-01 22:00:00', '2099-05-01 23:00:00', 'SAME_AS_SERVER');
insert into setting (key, value) values ('primaryBaseURL', '"https://kuma.acme.example"'), ('serverTimezone', '"Europe/Berlin"');
insert into maintenance (id, title, strategy, cron) values (2, 'Every night', 'cron', '30 3 * * *');
insert into monitor_maintenance (monitor_id, maintenance_id) values (5, 1), (2, 2);
`

/** Writes a kuma.db such as somebody may have. */
export function writeKumaDatabase(path: string): void {
  const database = new DatabaseSync(path)
  try {
    database.exec(tables)
    database.exec(rows)
  } finally {
    database.close()
  }
}
