import { type Route, type RouteName, routes } from '@watchpost/contract'
import { Option } from 'commander'
import type { Verb } from '../command.ts'
import { flagsOf, valuesOf } from '../flags.ts'
import { wrongFlags } from '../usage-error.ts'
import type { View } from '../view.ts'
import { idOf } from './id.ts'
import { allPages } from './pages.ts'
import { sendForList } from './send.ts'

export interface ListPlan<Row> {
  name?: string
  route: RouteName
  view: View<Row>
  summary: string
  /** What the list belongs to, where its path has an id. */
  of?: string
  /** Filters that make no sense here: the id that the path holds already. */
  without?: string[]
  examples: string[]
}

/** Global flags that a filter of the same name gives way to; `api` reaches those filters. */
const taken = ['url', 'token', 'output']

/** `list`: the query parameters of the route are its flags. */
export function listVerb<Row>(plan: ListPlan<Row>): Verb {
  const hidden = [...taken, ...(plan.without ?? [])]
  return {
    name: plan.name ?? 'list',
    summary: plan.summary,
    ...(plan.of === undefined ? {} : { words: [['<ID>', `id of the ${plan.of}`]] }),
    flags: () =>
      flagsOf((routes[plan.route] as Route).query)
        .filter(flag => !hidden.includes(flag.field))
        .map(flag => ({ ...flag, nullable: false }))
        .sort((a, b) => Number(isPaging(b.field)) - Number(isPaging(a.field))),
    flagsAre: 'Pages, order and filters',
    options: () => [new Option('--all', 'every page').conflicts(['page', 'perPage'])],
    examples: plan.examples,
    async run({ session, words, given, flags }) {
      const { values: query, wrong } = valuesOf(flags, given)
      if (Object.keys(wrong).length > 0) throw wrongFlags(wrong)
      const input = { query, ...(plan.of === undefined ? {} : { params: { id: idOf(words[0]) } }) }
      const { data, meta } =
        given.all === true
          ? await allPages<Row>(session.client, plan.route, input)
          : await sendForList<Row>(session.client, plan.route, input)
      await session.out.list(data, meta, plan.view)
    },
  }
}

function isPaging(field: string): boolean {
  return ['page', 'per_page', 'sort'].includes(field)
}
