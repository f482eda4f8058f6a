import type { ReactNode } from 'react'

export interface Column<T> {
  name: string
  /** Left out on a phone. */
  minor?: boolean
  /** Nothing to read in the head: buttons. */
  hidden?: boolean
  end?: boolean
  cell: (row: T) => ReactNode
}

/** Rows of things; on a phone what is minor is left out. */
export function Table<T extends { id: number | string }>(props: { label: string; columns: Column<T>[]; rows: T[] }) {
  const { label, columns, rows } = props
  const kind = ({ minor, end }: Column<T>) => `${minor ? 'minor' : ''} ${end ? 'end' : ''}`
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {columns.map(column => (
            <th key={column.name} scope="col" className={kind(column)}>
              {column.hidden ? <span className="visually-hidden">{column.name}</span> : column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.id}>
            {columns.map(column => (
              <td key={column.name} className={kind(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
