import { type Html, html } from './html.ts'
import { icon } from './icons.ts'
import { monitorRow } from './monitor-row.ts'
import type { ShownPage } from './shown-page.ts'
import { groupState } from './state.ts'
import { type View, written } from './view.ts'

type Group = ShownPage['groups'][number]

/** The groups in the payload's order, each with its monitors in theirs. A group without monitors says nothing. */
export function groups(view: View): Html[] {
  const members = Map.groupBy(view.payload.monitors, monitor => monitor.group_name)
  return everyGroup(view.payload, members.keys()).flatMap(group => {
    const monitors = members.get(group.name)
    return monitors ? section(group, monitors, view) : []
  })
}

// A monitor must never be lost from the page, so a group that is missing from `groups` is shown last.
function everyGroup({ groups }: ShownPage, named: Iterable<string>): Group[] {
  const known = new Set(groups.map(({ name }) => name))
  const missing = [...named].filter(name => !known.has(name))
  return [...groups, ...missing.map(name => ({ name, status: 'operational' as const }))]
}

function section(group: Group, monitors: ShownPage['monitors'], view: View): Html {
  const { level, headline, detail } = groupState(group.status === 'partial', monitors, view)
  return html`<section class="group" data-status="${group.status}"><header><h2>${written(group.name, view)}</h2>
    <p class="state ${level}">${icon(level)}${[headline, ...detail].join(' · ')}</p></header>
    <ul class="card">${monitors.map(monitor => monitorRow(monitor, view))}</ul></section>`
}
