import type { View } from '../view.ts'

/** A context without its token. */
export interface ShownContext {
  name: string
  url: string | null
  current: boolean
}

export const contextView: View<ShownContext> = {
  singular: 'context',
  plural: 'contexts',
  name: context => context.name,
  columns: [
    { title: '', cell: ({ current }) => (current ? '*' : '') },
    { title: 'NAME', cell: ({ name }) => name, least: 12 },
    { title: 'SERVER', cell: ({ url }) => url ?? '-', least: 16 },
  ],
}
