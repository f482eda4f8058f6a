import { type Quota, quotaNames, type TopUpBalance, type Usage } from '@watchpost/contract'
import type { Tone } from '../table.ts'
import type { View } from '../view.ts'

interface Line extends Quota {
  quota: string
}

/** Quotas a line each; nothing of them is a name. */
export const usageView: View<Usage> = {
  singular: 'usage',
  plural: 'usages',
  name: usage => usage.period,
  columns: [],
  parts: [
    {
      field: 'quotas',
      columns: [
        { title: 'QUOTA', cell: ({ quota }: Line) => quota },
        { title: 'USED', cell: ({ used }: Line) => amount(used), right: true },
        { title: 'LIMIT', cell: ({ limit }: Line) => (limit === null ? 'none' : amount(limit)), right: true },
        { title: 'PERCENT', cell: (line: Line) => percent(line), tone, right: true },
        { title: 'LEFT', cell: ({ remaining }: Line) => (remaining === null ? '-' : amount(remaining)), right: true },
      ],
      rows: ({ quotas }) => quotaNames.map(quota => ({ quota, ...quotas[quota] })),
    },
  ],
}

export const balanceView: View<TopUpBalance> = {
  singular: 'balance',
  plural: 'balances',
  name: balance => Object.values(balance).join(' '),
  columns: [],
}

const amount = (number: number): string => number.toLocaleString('en-US')

function percent({ limit, used }: Quota): string {
  if (limit === null) return '-'
  // Rounded down: 100 % is said when nothing is left, and not before.
  return `${limit === 0 ? 100 : Math.floor((used * 100) / limit)} %`
}

function tone({ limit, used }: Quota): Tone | undefined {
  if (limit === null || used < limit * 0.8) return undefined
  return used >= limit ? 'bad' : 'warn'
}
