/** Whoever follows a team's events asks for the latest, every second. */
export default /* sql */ `
create index outbox_by_team on outbox (team_id, created_at);
`
