import type { App, AppSummary } from '@watchpost/contract'
import type { Column } from '../table.ts'
import type { View } from '../view.ts'
import { moment } from './time.ts'

const columns: Column<AppSummary>[] = [
  { title: 'ID', cell: ({ id }) => String(id), right: true },
  { title: 'NAME', cell: ({ name }) => name, least: 12 },
  { title: 'ORIGINS', cell: ({ allowed_origins }) => allowed_origins.join(', ') || 'any', least: 16 },
  { title: 'CREATED', cell: app => moment(app.created_at), moment: true, optional: 1 },
]

export const appSummaryView: View<AppSummary> = {
  singular: 'app',
  plural: 'apps',
  name: app => app.name,
  columns,
}

export const appView: View<App> = { singular: 'app', plural: 'apps', name: app => app.name, columns }
