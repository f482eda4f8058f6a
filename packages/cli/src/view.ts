import type { Column } from './table.ts'

/** How things of a noun are shown to people; one in `format/<noun>.ts` for each. Pure. */
export interface View<Row> {
  singular: string
  plural: string
  /** What `-o name` prints. */
  name(row: Row): string
  columns: Column<Row>[]
  /** Tables under the fields of one thing, and the fields they take the place of. */
  parts?: Part<Row>[]
}

export interface Part<Row> {
  field: keyof Row & string
  // biome-ignore lint/suspicious/noExplicitAny: each part has rows of its own
  columns: Column<any>[]
  rows(item: Row): unknown[]
}
