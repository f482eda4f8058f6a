import type { ChangePlan, PlanAction, PlannedChange } from '@watchpost/contract'
import { escapeText } from '../escape.ts'
import { paint, type Tone } from '../table.ts'

const signs: Record<PlanAction, { sign: string; tone: Tone }> = {
  create: { sign: '+', tone: 'good' },
  update: { sign: '~', tone: 'warn' },
  delete: { sign: '-', tone: 'bad' },
  adopt: { sign: '=', tone: 'dim' },
}
const nouns = { monitors: 'monitor', status_pages: 'status page', channels: 'channel', maintenance: 'maintenance' }

/** A plan as text for people: each thing, and each property that changes. */
export function planText(plan: ChangePlan, colour: boolean): string {
  return plan.changes.map(change => changeText(change, colour)).join('')
}

function changeText({ kind, key, action, properties }: PlannedChange, colour: boolean): string {
  const { sign, tone } = signs[action]
  const head = `${paint(`${sign} ${nouns[kind]} ${escapeText(key)}`, tone, colour)}\n`
  const widest = Math.max(0, ...properties.map(({ path }) => path.length))
  const lines = properties
    .filter(({ path, new: value }) => action !== 'create' || (path !== 'name' && path !== 'slug' && !isNothing(value)))
    .map(({ path, old, new: now }) => {
      const label = paint(escapeText(path).padEnd(widest), 'dim', colour)
      if (action === 'create') return `    ${label}  ${paint(shown(now), 'good', colour)}\n`
      return `    ${label}  ${paint(shown(old), 'bad', colour)} → ${paint(shown(now), 'good', colour)}\n`
    })
  return head + lines.join('')
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '(none)'
  return escapeText(value === '***' ? '***' : JSON.stringify(value))
}

/** One line that says how much. */
export function planSummary({ summary, applied }: ChangePlan): string {
  const { create, update, delete: gone, adopt, unchanged } = summary
  const verbs = applied
    ? ['created', 'changed', 'deleted', 'adopted']
    : ['to create', 'to change', 'to delete', 'to adopt']
  const counts = [create, update, gone, adopt]
  const parts = counts.flatMap((count, index) => (count > 0 ? [`${count} ${verbs[index]}`] : []))
  if (parts.length === 0) return `No changes: ${unchanged} as the files say.`
  return `${[...parts, `${unchanged} unchanged`].join(', ')}.`
}
